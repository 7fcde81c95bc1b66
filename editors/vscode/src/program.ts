/**
 * The program that is started, and what to say when it cannot be. Pure: no import of
 * `vscode`, so that plain node can test it.
 */

import { join } from "node:path";

/** The command line of the setting, or the default when it is not one. */
export function commandLine(setting: unknown): [string, string[]] {
  if (Array.isArray(setting) && setting.every((part) => typeof part === "string")) {
    const [program, ...rest] = setting as string[];
    if (program) {
      return [program, rest];
    }
  }
  return ["reverie", ["lsp"]];
}

/** The same command line, to look in a browser instead: its last `lsp` makes place. */
export function viewLine(args: string[], page: string): string[] {
  const place = args.lastIndexOf("lsp");
  const before = place < 0 ? args : args.slice(0, place);
  return [...before, "view", "--no-open", "--page", page];
}

/** The address that `reverie view` prints, once it has. */
export function addressIn(printed: string): string | undefined {
  return /^(http:\/\/127\.0\.0\.1:\d+\/\?\S+)\n/m.exec(printed)?.[1];
}

/**
 * Where the program is: on the path, else in the folder where `uv tool` and `pipx` put programs (an
 * editor that was started from a dock has no shell's path); `undefined` where it is nowhere.
 */
export function located(
  program: string,
  path: string,
  home: string,
  isProgram: (file: string) => boolean,
): string | undefined {
  if (program.includes("/")) {
    return isProgram(program) ? program : undefined;
  }
  const folders = [...path.split(":").filter(Boolean), join(home, ".local", "bin")];
  return folders.map((folder) => join(folder, program)).find(isProgram);
}

/** Why the server does not run, in one line. */
export function failure(program: string, problem: unknown): string {
  if (problem instanceof Missing) {
    return program.includes("/")
      ? `There is no program ${program}.`
      : `The program “${program}” was not found: it is not on the PATH of VS Code.`;
  }
  const said = problem instanceof Error ? problem.message : String(problem);
  return `“${program}” could not be started: ${said.split("\n")[0]}`;
}

/** There is no such program. */
export class Missing extends Error {}
