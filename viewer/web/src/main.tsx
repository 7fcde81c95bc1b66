// The pages of reverie's view.

import { render, type ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { beginKeys } from "./keys";
import { begin } from "./live";
import { useAsked } from "./loading";
import { Health } from "./pages/health";
import { Inbox } from "./pages/inbox";
import { Memories } from "./pages/memories";
import { Start } from "./pages/start";
import { Today } from "./pages/today";
import { route } from "./route";
import type { Status } from "./shapes";
import { applyTheme, Shell } from "./shell";

const ON = ["read", "judged", "restored", "forgotten"] as const;
const TITLES: Record<string, string> = { inbox: "Inbox", today: "Today", memories: "Memories", start: "Start", health: "Health" };

const PAGE: Record<string, ComponentChildren> = {
  inbox: <Inbox />,
  today: <Today />,
  memories: <Memories />,
  start: <Start />,
  health: <Health />,
};

function View() {
  const { page } = route.value;
  const status = useAsked<Status>("status", {}, ON);
  const waiting = status.data?.inbox ?? null;
  useEffect(() => {
    document.title = `${page === "inbox" && waiting ? `(${waiting}) ` : ""}${TITLES[page]} · reverie`;
  }, [page, waiting]);
  return <Shell waiting={waiting}>{PAGE[page]}</Shell>;
}

applyTheme();
beginKeys();
begin();
const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  render(<View />, root);
}
