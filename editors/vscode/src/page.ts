/** What a page looks like. Pure: no import of `vscode`, so that plain node can test it. */

const TITLE = 40; // characters of a tab

/** Something to be done from a page: a command of the server with its argument. */
export interface Button {
  label: string;
  command: string;
  argument: object;
}

/** What a page is about: `reverie://memory/m7.md`, `reverie://recall/words.md`. */
export interface About {
  kind: string;
  id: string;
}

export function about(authority: string, path: string): About {
  return { kind: authority, id: decodeURIComponent(path.replace(/^\//, "").replace(/\.md$/, "")) };
}

/** What can be done about a page. */
export function buttons({ kind, id }: About): Button[] {
  if (kind !== "memory") {
    return [];
  }
  return [
    { label: "Useful", command: "reverie.useful", argument: { id } },
    { label: "Not useful here", command: "reverie.notUseful", argument: { id } },
    { label: "Forget", command: "reverie.forget", argument: { id } },
  ];
}

/** The first heading of a page, for its tab. */
export function titled(markdown: string): string {
  const heading = /^#+ +(.+)$/m.exec(markdown)?.[1] ?? "reverie";
  const plain = heading.replaceAll(/\\([\\`*_[\]<>!|~#])/g, "$1");
  return plain.length > TITLE ? `${plain.slice(0, TITLE - 1).trimEnd()}…` : plain;
}

/**
 * The document of a page. A memory's text is data: nothing is loaded, and no script runs but ours,
 * which tells the number of the button that was pressed.
 */
export function html(body: string, shown: readonly Button[], nonce: string): string {
  const bar = shown.map(({ label }, at) => `<button data-at="${at}">${escaped(label)}</button>`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<nav>${bar.join("")}</nav>
<main>${body}</main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

// Links that do something, but for the one that leads to a line, are buttons.
const PRESSED = `a[href^="command:"]:not([href*="goToLine"])`;

const STYLE = `
body { max-width: 46em; padding: 0 1.5em 2em; line-height: 1.5; }
nav { position: sticky; top: 0; padding: 1em 0; background: var(--vscode-editor-background); }
nav:empty { display: none; }
button, ${PRESSED} { margin-right: .6em; padding: .35em .9em; border: 0; border-radius: 2px; cursor: pointer;
  font: inherit; color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
button:hover { background: var(--vscode-button-hoverBackground); }
button ~ button, ${PRESSED} { color: var(--vscode-button-secondaryForeground);
  background: var(--vscode-button-secondaryBackground); }
${PRESSED} { padding: .2em .7em; font-size: .9em; text-decoration: none; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 1.6em; }
code, pre { font-family: var(--vscode-editor-font-family); }
blockquote { margin-left: 0; padding-left: 1em; border-left: 3px solid var(--vscode-textBlockQuote-border); }
`;

const SCRIPT = `
const api = acquireVsCodeApi();
for (const button of document.querySelectorAll("button")) {
  button.addEventListener("click", () => api.postMessage(Number(button.dataset.at)));
}
`;
