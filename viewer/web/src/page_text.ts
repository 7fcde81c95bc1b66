// The page of a start as an agent is given it, cut into what a person can point at.

export interface Item {
  text: string; // without its id and what stands behind it
  id: string; // of the note; empty where it is none
  about: string; // what stands behind it: whose word, how old
}

export interface Block {
  intro: string;
  items: Item[];
}

const FENCE = /^<\/?[a-z-]+>$/;
const BEHIND = /\s*\(([mp][0-9a-z]+): ([^()]*)\)\s*$/;
const LISTED = /^([mp][0-9a-z]+) +/;

/** The blocks of a page; every word of it but fences and ids is in one of them. */
export function blocks(page: string): Block[] {
  const found: Block[] = [];
  let block: Block | null = null;
  const begin = (intro: string): Block => {
    const made = { intro, items: [] };
    found.push(made);
    return made;
  };
  for (const line of page.split("\n")) {
    if (FENCE.test(line.trim())) {
      block = null;
      continue;
    }
    if (!line.trim()) continue;
    if (line.startsWith("- ")) {
      block ??= begin("");
      block.items.push({ text: line.slice(2), id: "", about: "" });
    } else if (block?.items.length) {
      const last = block.items.at(-1) as Item;
      last.text += `\n${line.replace(/^ {2}/, "")}`;
    } else if (block) {
      block.intro += ` ${line}`;
    } else {
      block = begin(line);
    }
  }
  for (const one of found) one.items = one.items.map(pointed);
  return found;
}

function pointed(item: Item): Item {
  const listed = LISTED.exec(item.text);
  if (listed) return { text: item.text.slice(listed[0].length), id: listed[1] as string, about: "" };
  const behind = BEHIND.exec(item.text);
  if (behind) return { text: item.text.slice(0, behind.index), id: behind[1] as string, about: behind[2] as string };
  return item;
}
