/**
 * The lines of a file at which other tools see an error. Pure: no import of `vscode`, so that plain
 * node can test it.
 */

/** What is looked at of a diagnostic: never its text. */
export interface Diagnostic {
  severity: number;
  range: { start: { line: number } };
}

const ERROR = 0; // `vscode.DiagnosticSeverity.Error`

/** The lines, from 0, each once and in order. */
export function failing(diagnostics: readonly Diagnostic[]): number[] {
  const errors = diagnostics.filter(({ severity }) => severity === ERROR);
  return [...new Set(errors.map(({ range }) => range.start.line))].sort((a, b) => a - b);
}

/** Remembers what was told of each file, so that nothing is told twice. */
export class Told {
  private readonly lines = new Map<string, string>();

  /** Whether this is news; a file without errors is none as long as nothing was told of it. */
  isNew(uri: string, lines: readonly number[]): boolean {
    const said = lines.join();
    const before = this.lines.get(uri) ?? "";
    this.lines.set(uri, said);
    return said !== before;
  }

  forget(uri: string): void {
    this.lines.delete(uri);
  }
}
