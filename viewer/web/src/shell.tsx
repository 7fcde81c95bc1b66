// What surrounds the pages: where one can go, whether the daemon is there, keys, what was done.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { act, dismiss, toast, undoLast } from "./acts";
import { groupBy } from "./groups";
import { allKeys, helpIsOpen, keysChanged, useKeys } from "./keys";
import { isBack, presence } from "./live";
import { Button, Command } from "./parts";
import { address, go, PAGES, route } from "./route";
import { grouped } from "./words";

const NAMES: Record<string, string> = {
  inbox: "Inbox",
  today: "Today",
  memories: "Memories",
  start: "Start",
  health: "Health",
};
const ICONS: Record<string, string> = {
  inbox: "M3 13l2.5-8h9L17 13v3.5H3V13zm0 0h4l1 2h4l1-2h4",
  today: "M4 5h12v12H4V5zm0 4h12M7.5 3v3.5M12.5 3v3.5",
  memories: "M9 4a5 5 0 100 10A5 5 0 009 4zm3.6 8.6L17 17",
  start: "M5 3.5h7l3.5 3.5v9.5H5v-13zm2.5 6h5.5m-5.5 3h5.5",
  health: "M2.5 10.5h3.5l2-5 3.5 9 2-4h4",
};

// ---- light and dark

type Theme = "auto" | "light" | "dark";
const KEPT_AS = "reverie-theme";
const THEMES: Theme[] = ["auto", "light", "dark"];

function stored(): Theme {
  try {
    const said = localStorage.getItem(KEPT_AS) as Theme | null;
    return said && THEMES.includes(said) ? said : "auto";
  } catch {
    return "auto";
  }
}

export const theme = signal<Theme>(stored());

export function applyTheme(): void {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] as Theme;
  applyTheme();
  try {
    localStorage.setItem(KEPT_AS, theme.value);
  } catch {
    // A browser that keeps nothing forgets it.
  }
}

// ---- all of it

export function Shell({ waiting, children }: { waiting: number | null; children: ComponentChildren }) {
  useKeys([
    ...PAGES.map((page, place) => ({
      key: String(place + 1),
      label: `Go to ${NAMES[page]}`,
      group: "Everywhere",
      run: () => go(address(page)),
    })),
    { key: "/", label: "Search memories", group: "Everywhere", run: search },
    { key: "u", label: "Undo", group: "Everywhere", run: () => void undoLast() },
    { key: "t", label: "Light, dark, or as the system", group: "Everywhere", run: nextTheme },
    { key: "?", label: "These keys", group: "Everywhere", run: () => (helpIsOpen.value = true) },
  ]);
  const here = route.value.page;
  const last = useRef(here);
  useEffect(() => {
    // Who only listens hears which page came.
    if (last.current !== here) document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    last.current = here;
  }, [here]);
  const words = { auto: "As the system", light: "Light", dark: "Dark" }[theme.value];
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skip(event)}>
        Skip to the page
      </a>
      <nav class="places" aria-label="Pages">
        <a class="brand" href={address("inbox")}>
          <img src="icon.svg" alt="" width="26" height="26" />
          <span>reverie</span>
        </a>
        <ul>
          {PAGES.map((page) => (
            <li key={page}>
              <a href={address(page)} aria-current={here === page ? "page" : undefined}>
                <svg viewBox="0 0 20 20" aria-hidden="true">
                  <path d={ICONS[page]} />
                </svg>
                <span>{NAMES[page]}</span>
                {page === "inbox" && waiting !== null && waiting > 0 && (
                  <span class="number" aria-label={`${waiting} new`}>
                    {grouped(waiting)}
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
        <div class="foot">
          <button type="button" class="quiet" onClick={nextTheme} title="Light, dark, or as the system (t)">
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M10 3.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13zm0 0v13" />
            </svg>
            <span>{words}</span>
          </button>
          <button type="button" class="quiet" onClick={() => (helpIsOpen.value = true)} title="Keys (?)">
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M3 6h14v8.5H3V6zm3 3h.01M9 9h.01M12 9h.01M14.5 9h.01M7 12h6" />
            </svg>
            <span>Keys</span>
          </button>
        </div>
      </nav>
      <div class="column">
        <Banner />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Keys />
      <Told />
    </>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function search(): void {
  const focus = () => document.querySelector<HTMLInputElement>("#search")?.focus();
  if (document.querySelector("#search")) focus();
  else {
    go(address("memories"));
    setTimeout(focus, 60);
  }
}

function Banner() {
  const state = presence.value;
  if (state === "away") {
    return (
      <p class="banner" role="status">
        The daemon is away. What you see is from before; this page goes on by itself when it is back.{" "}
        <Button onClick={() => void act({ name: "up", fields: {}, words: "The daemon runs" })}>Start it</Button>
      </p>
    );
  }
  if (state === "ended") {
    return (
      <p class="banner" role="status">
        This view has ended. Open a new one: <Command line="reverie view" />
      </p>
    );
  }
  return isBack.value ? (
    <p class="banner good" role="status">
      The daemon is back.
    </p>
  ) : null;
}

function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = helpIsOpen.value;
  void keysChanged.value;
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal();
  }, [isOpen]);
  if (!isOpen) return null;
  const groups = groupBy(allKeys(), (one) => one.group ?? "This page");
  const order = [...groups].sort(([one], [other]) => Number(one === "Everywhere") - Number(other === "Everywhere"));
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={() => (helpIsOpen.value = false)}>
      <header>
        <h2 id="keys-title">Keys</h2>
        <Button onClick={() => dialog.current?.close()} hint="Esc">
          Close
        </Button>
      </header>
      <div class="groups">
        {order.map(([name, keys]) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {keys.map((one) => (
                <div key={one.key}>
                  <dt>
                    <kbd>{KEY_NAMES[one.key] ?? one.key}</kbd>
                  </dt>
                  <dd>{one.label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}

const KEY_NAMES: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", Enter: "↵", Escape: "Esc" };

function Told() {
  const said = toast.value;
  return (
    <div class="toasts" role="status" aria-live="polite">
      {said && (
        <div class={`toast ${said.isProblem ? "bad" : ""}`} key={said.number}>
          <span>{said.words}</span>
          {said.undoable && (
            <Button onClick={() => void undoLast()} hint="u">
              Undo
            </Button>
          )}
          <button type="button" class="link" onClick={dismiss} aria-label="Dismiss">
            ✕
          </button>
        </div>
      )}
    </div>
  );
}
