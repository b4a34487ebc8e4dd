/** Draws descriptions into the page and changes only what differs, so that focus is never lost. */

const SVG = "http://www.w3.org/2000/svg";
const drawn = new WeakMap(); // an element to the props it was last drawn with

/** Describe an element; children may be nested lists, texts, and false or null for nothing. */
export const h = (tag, props, ...children) => ({ tag, props: props ?? {}, children });

/** Make the children of an element look like the descriptions. */
export function paint(parent, ...children) {
  const wanted = children.flat(9).filter((item) => item != null && item !== false && item !== "");
  const old = [...parent.childNodes];
  const nodes = wanted.map((item) => {
    const at = old.findIndex((node) => same(node, item));
    const node = at < 0 ? create(parent, item) : old.splice(at, 1)[0];
    fill(node, item);
    return node;
  });
  old.forEach((node) => node.remove());
  // What is already in its place is not moved: moving would take the focus away.
  nodes.forEach((node, at) => {
    if (parent.childNodes[at] !== node) parent.insertBefore(node, parent.childNodes[at] ?? null);
  });
}

function same(node, item) {
  if (item.tag === undefined) return node.nodeType === Node.TEXT_NODE;
  return node.localName === item.tag && drawn.get(node)?.key === item.props.key;
}

function create(parent, { tag }) {
  if (tag === undefined) return document.createTextNode("");
  const svg = tag === "svg" || parent.namespaceURI === SVG;
  return svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
}

function fill(node, item) {
  if (item.tag === undefined) {
    if (node.data !== `${item}`) node.data = item;
    return;
  }
  const before = drawn.get(node) ?? {};
  drawn.set(node, item.props);
  for (const name of Object.keys({ ...before, ...item.props })) {
    if (before[name] !== item.props[name]) set(node, name, item.props[name]);
  }
  if (!item.tag.includes("-")) paint(node, item.children); // a custom element draws itself
}

function set(node, name, value) {
  if (name === "key") return;
  if (name === "vars") return Object.entries(value).forEach(([key, to]) => node.style.setProperty(key, to));
  const property = /^(on.*|value|checked|disabled|open)$/.test(name) || typeof value === "object";
  if (property) node[name] = value ?? null;
  else if (value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}
