// Questions to the daemon, through the process that serves these pages.

export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly asksToConfirm = false,
  ) {
    super(message);
    this.name = "Refused";
  }

  get isAway(): boolean {
    return this.status === 503 || this.status === 0;
  }
}

export type Fields = Record<string, unknown>;

const GONE = "The view has ended: run reverie view again.";

/** The reply of an operation. Throws `Refused`, with a line for a person. */
export async function ask<T>(name: string, fields: Fields = {}, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`api/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
      signal: signal ?? null,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(GONE, 0);
  }
  const said: unknown = await response.json().catch(() => null);
  if (response.ok) return said as T;
  throw refusal(said, response.status);
}

function refusal(said: unknown, status: number): Refused {
  const body = (said ?? {}) as { error?: unknown; confirm?: unknown };
  const error = body.error;
  const message =
    typeof error === "string"
      ? error
      : typeof (error as { message?: unknown } | undefined)?.message === "string"
        ? (error as { message: string }).message
        : `It did not work (${status}).`;
  return new Refused(message, status, body.confirm === true);
}
