// What changed between two texts, word by word.

export interface Piece {
  how: "same" | "gone" | "new";
  text: string;
}

const MOST = 600; // words of a text that are compared; the table has their product
const ALIKE = 0.4; // share of words in common below which pieces would be confetti

export function words(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

/** Pieces of the new text among those of the old one; null where they have too little in common. */
export function difference(before: string, after: string): Piece[] | null {
  const one = words(before);
  const other = words(after);
  if (one.length > MOST || other.length > MOST) return null;
  const table = lengths(one, other);
  const pieces: Piece[] = [];
  const add = (how: Piece["how"], text: string) => {
    const last = pieces.at(-1);
    if (last?.how === how) last.text += text;
    else pieces.push({ how, text });
  };
  let i = 0;
  let j = 0;
  let common = 0;
  while (i < one.length && j < other.length) {
    const left = one[i] as string;
    const right = other[j] as string;
    if (left === right) {
      if (left.trim()) common += 1;
      add("same", right);
      i += 1;
      j += 1;
    } else if ((table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0)) {
      add("gone", left);
      i += 1;
    } else {
      add("new", right);
      j += 1;
    }
  }
  for (; i < one.length; i += 1) add("gone", one[i] as string);
  for (; j < other.length; j += 1) add("new", other[j] as string);
  const shorter = Math.min(one.length, other.length) / 2;
  return shorter > 0 && common / shorter >= ALIKE ? joined(pieces) : null;
}

/** Lengths of the longest common rest from each pair of places. */
function lengths(one: string[], other: string[]): Uint16Array[] {
  const table = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i -= 1) {
    const row = table[i] as Uint16Array;
    const below = table[i + 1] as Uint16Array;
    for (let j = other.length - 1; j >= 0; j -= 1) {
      row[j] =
        one[i] === other[j]
          ? (below[j + 1] ?? 0) + 1
          : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

/** A blank alone between two changes belongs to them: what is gone first, then what is new. */
function joined(pieces: Piece[]): Piece[] {
  const out: Piece[] = [];
  let gone = "";
  let added = "";
  const flush = () => {
    if (gone) out.push({ how: "gone", text: gone });
    if (added) out.push({ how: "new", text: added });
    gone = added = "";
  };
  pieces.forEach((piece, place) => {
    const next = pieces[place + 1];
    if (piece.how === "gone") gone += piece.text;
    else if (piece.how === "new") added += piece.text;
    else if (!piece.text.trim() && (gone || added) && next && next.how !== "same") {
      gone += piece.text;
      added += piece.text;
    } else {
      flush();
      out.push(piece);
    }
  });
  flush();
  return out;
}
