// Rows of a long list. Of all that there is any place can be asked for; of what is narrowed down one page after the other.

import { ask, Refused } from "./api";
import type { Browsed, Memory } from "./shapes";

export const PAGE = 200;
const AT_ONCE = 3; // pages that are under way
const NEAREST = 50; // results by meaning
const AHEAD = 40; // rows before the end at which the next page is asked for

export class Rows {
  problem = "";
  hasBegun = false;
  private total: number | null = null; // null: nobody counted them
  private readonly jumps: boolean; // to any place
  private readonly byMeaning: boolean; // the nearest alone, the best first
  private readonly pages = new Map<number, Memory[]>(); // where it jumps
  private readonly flat: Memory[] = []; // where it does not
  private after: number | null = null;
  private needed: [number, number] = [0, 0];
  private readonly underWay = new Set<number>();
  private readonly aborted = new AbortController();

  constructor(
    private readonly fields: Record<string, unknown>,
    private readonly changed: () => void,
    private readonly question: typeof ask = ask,
  ) {
    this.jumps = Object.keys(fields).every((name) => name === "ended");
    this.byMeaning = "meaning" in fields;
    this.load(0);
  }

  /** How many rows there is room for. */
  get length(): number {
    if (this.jumps && this.total !== null) return this.total;
    return this.flat.length + (this.after === null ? 0 : 1);
  }

  /** How many there are; null while nobody knows. */
  get many(): number | null {
    if (this.total !== null) return this.total;
    return this.hasBegun && this.after === null ? this.flat.length : null;
  }

  at(place: number): Memory | undefined {
    return !this.jumps ? this.flat[place] : this.pages.get(Math.floor(place / PAGE))?.[place % PAGE];
  }

  place(id: string): number {
    if (!this.jumps) return this.flat.findIndex((one) => one.id === id);
    for (const [page, rows] of this.pages) {
      const place = rows.findIndex((one) => one.id === id);
      if (place >= 0) return page * PAGE + place;
    }
    return -1;
  }

  /** Ask for what is missing between these places. */
  need(first: number, last: number): void {
    this.needed = [first, last];
    if (!this.hasBegun) return;
    if (!this.jumps) {
      if (this.after !== null && last >= this.flat.length - AHEAD) this.load(this.flat.length);
      return;
    }
    const end = Math.min(last, this.length - 1);
    for (let page = Math.floor(Math.max(0, first) / PAGE); page * PAGE <= end; page += 1) this.load(page);
  }

  leave(): void {
    this.aborted.abort();
  }

  private load(page: number): void {
    const most = this.jumps && this.hasBegun ? AT_ONCE : 1;
    if (this.pages.has(page) || this.underWay.has(page) || this.underWay.size >= most) return;
    this.underWay.add(page);
    let failed = false;
    this.asked(page)
      .then((found) => {
        if (!this.hasBegun) this.total = found.total;
        this.hasBegun = true;
        this.after = found.after ?? null;
        if (this.jumps) this.pages.set(page, found.memories);
        else this.flat.push(...found.memories);
        this.problem = "";
      })
      .catch((error: unknown) => {
        failed = true;
        if (this.aborted.signal.aborted) return;
        const isAway = error instanceof Refused && error.isAway; // the banner tells it
        this.problem = isAway ? "" : error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        this.underWay.delete(page);
        if (this.aborted.signal.aborted) return;
        this.changed();
        if (!failed) this.need(...this.needed); // one has scrolled on meanwhile
      });
  }

  private async asked(page: number): Promise<Browsed> {
    if (this.byMeaning) return this.recalled();
    const fields = { ...this.fields, limit: PAGE };
    if (this.jumps && page > 0) return this.question("list", { ...fields, offset: page * PAGE }, this.aborted.signal);
    const after = this.after === null ? {} : { after: this.after };
    return this.question("list", { ...fields, ...after }, this.aborted.signal);
  }

  private async recalled(): Promise<Browsed> {
    const { meaning, type, project, alone } = this.fields;
    const asked = { query: meaning, k: NEAREST, project, everywhere: !alone, track: false };
    const found = await this.question<{ results: Memory[] }>("recall", asked, this.aborted.signal);
    const memories = found.results.filter((one) => !type || one.kind === type);
    return { memories, after: null, total: null };
  }
}
