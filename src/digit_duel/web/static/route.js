/** Which page an address shows. */

const PAGES = [
  [/^\/$/, () => import("./home.js")],
  [/^\/new\/([\w-]+)$/, () => import("./home.js")],
  [/^\/g\/([\w-]+)$/, () => import("./game.js")],
  [/^\/j\/([\w-]+)$/, () => import("./join.js")],
  [/^\/g\/([\w-]+)\/analysis$/, () => import("./analysis.js")],
  [/^\/analysis\/([\w-]+)$/, () => import("./analysis.js")],
  [/^\/verify\/([\w-]+)$/, () => import("./verify.js")],
  [/^\/rules(?:\/([\w-]+))?$/, () => import("./rules.js")],
  [/^\/help$/, () => import("./help.js")],
];

/** The loader of a path's page and the name in the path, or null. */
export function find(path) {
  for (const [pattern, load] of PAGES) {
    const found = pattern.exec(path);
    if (found) return { load, name: found[1] };
  }
  return null;
}

/** Go to another page. */
export function go(path) {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate", { state: { moved: true } }));
}

/** Put another address on the same page. */
export const rename = (path) => history.replaceState(null, "", path);
