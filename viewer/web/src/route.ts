// Where one is: `#memories/m12?q=port`.

import { signal } from "@preact/signals";

export interface Route {
  page: string;
  rest: string;
  query: URLSearchParams;
}

export const PAGES = ["inbox", "today", "memories", "start", "health"] as const;

export function parsed(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", ...rest] = path.split("/");
  const isPage = (PAGES as readonly string[]).includes(page);
  return { page: isPage ? page : "inbox", rest: decoded(rest.join("/")), query: new URLSearchParams(query) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = signal<Route>(parsed(location.hash));

window.addEventListener("hashchange", () => (route.value = parsed(location.hash)));

export function address(page: string, rest = "", query: Record<string, string> = {}): string {
  const said = new URLSearchParams(Object.entries(query).filter(([, value]) => value)).toString();
  return `#${page}${rest ? `/${encodeURIComponent(rest)}` : ""}${said ? `?${said}` : ""}`;
}

export function go(hash: string, replace = false): void {
  if (replace) {
    history.replaceState(null, "", hash);
    route.value = parsed(hash);
  } else {
    location.hash = hash;
  }
}
