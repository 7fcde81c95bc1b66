/**
 * Hints as they are painted, and those that stay while a document changes. Pure: no import of
 * `vscode`, so that plain node can test it.
 */

/** A hint as it is painted: at the end of its line, which counts from 0. */
export interface Hint {
  line: number;
  label: string;
  stale: boolean;
  tooltip: string;
}

/** What the server answers. */
export interface InlayHint {
  position: { line: number };
  label: string;
  tooltip?: string | { value: string };
  data?: { stale?: boolean };
}

/** An edit: the lines `first` to `last` became `lines` lines. */
export interface Edit {
  first: number;
  last: number;
  lines: number;
}

export function painted(hint: InlayHint): Hint {
  const { tooltip = "" } = hint;
  return {
    line: hint.position.line,
    label: hint.label,
    stale: hint.data?.stale ?? false,
    tooltip: typeof tooltip === "string" ? tooltip : tooltip.value,
  };
}

/**
 * The characters of a hint that count for its line: as far as a line is wide the pointer finds the hint,
 * and as far as the widest one the window can be scrolled. So a hint widens a line to 80, or by 16.
 */
export function width(label: string, column: number): number {
  return Math.min(label.length, Math.max(16, 80 - column));
}

/** The hints after an edit: those of its lines are gone, those below it move. */
export function edited(hints: readonly Hint[], { first, last, lines }: Edit): Hint[] {
  const added = lines - (last - first + 1);
  return hints
    .filter(({ line }) => line < first || line > last)
    .map((hint) => (hint.line > last ? { ...hint, line: hint.line + added } : hint));
}
