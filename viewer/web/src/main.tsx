// The pages of reverie's view.

import { render } from "preact";
import { useEffect } from "preact/hooks";
import { beginKeys } from "./keys";
import { begin } from "./live";
import { useAsked } from "./loading";
import { Inbox } from "./pages/inbox";
import { route } from "./route";
import type { Status } from "./shapes";
import { applyTheme, Shell } from "./shell";

const ON = ["read", "judged", "restored", "forgotten"] as const;
const TITLES: Record<string, string> = { inbox: "Inbox", today: "Today", memories: "Memories", start: "Start", health: "Health" };

function View() {
  const { page } = route.value;
  const status = useAsked<Status>("status", {}, ON);
  const waiting = status.data?.inbox ?? null;
  useEffect(() => {
    document.title = `${page === "inbox" && waiting ? `(${waiting}) ` : ""}${TITLES[page]} · reverie`;
  }, [page, waiting]);
  return <Shell waiting={waiting}>{page === "inbox" && <Inbox />}</Shell>;
}

applyTheme();
beginKeys();
begin();
const root = document.getElementById("app");
if (root) render(<View />, root);
