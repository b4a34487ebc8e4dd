/** Renders descriptions of elements, changing only what differs, so that the focus stays. */

const SVG = "http://www.w3.org/2000/svg";
const drawn = new WeakMap(); // elements to their props

/** h.p({ class: "soft" }, "text") describes an element. */
export const h = new Proxy({}, {
  get: (_, tag) => (...children) => {
    const [first] = children;
    const props = first?.constructor === Object && !first.tag ? children.shift() : {};
    return { tag, props, children };
  },
});

export const press = (label, onclick, props) => h.button({ type: "button", onclick, ...props }, label);

export function paint(parent, ...children) {
  const wanted = children.flat(9).filter((item) => item || item === 0);
  const old = [...parent.childNodes];
  const nodes = wanted.map((item) => {
    const at = old.findIndex((node) => same(node, item));
    const node = at < 0 ? create(parent, item) : old.splice(at, 1)[0];
    fill(node, item);
    return node;
  });
  old.forEach((node) => node.remove());
  // Moving an element would take the focus away.
  nodes.forEach((node, at) => parent.childNodes[at] !== node && parent.insertBefore(node, parent.childNodes[at] ?? null));
}

const same = (node, { tag, props }) =>
  tag ? node.localName === tag && drawn.get(node)?.key === props.key : node.nodeType === Node.TEXT_NODE;

function create(parent, { tag }) {
  if (!tag) return document.createTextNode("");
  const svg = tag === "svg" || parent.namespaceURI === SVG;
  return svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
}

function fill(node, item) {
  const { tag, props, children } = item;
  if (!tag) {
    if (node.data !== `${item}`) node.data = item;
    return;
  }
  const before = drawn.get(node) ?? {};
  drawn.set(node, props);
  for (const name in { ...before, ...props }) if (before[name] !== props[name]) set(node, name, props[name]);
  if (!tag.includes("-")) paint(node, children); // a custom element draws itself
}

function set(node, name, value) {
  if (name.startsWith("--")) node.style.setProperty(name, value ?? null);
  else if (/^(on.*|value|checked|disabled|show)$/.test(name)) node[name] = value ?? null;
  else if (value === false || value === null || value === undefined) node.removeAttribute(name);
  else if (name !== "key") node.setAttribute(name, value);
}
