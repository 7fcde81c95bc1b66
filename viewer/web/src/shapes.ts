// Shapes of the daemon's replies, as far as the pages use them (docs/cli.md, viewer/README.md).

export interface Cue {
  kind: string; // prompt, file, symbol, command, error
  text: string;
}

export interface Note {
  id: string;
  title: string;
  text: string;
  kind: string;
  said_by: string;
  scope: string;
  project: string | null;
  session: string;
  at: number;
  read_at: number;
  engine: string;
  why: string;
  quotation: string;
  agreed_to: string;
  relation: string;
  named: string | null;
  named_text: string;
  ended: boolean;
  refusal: string;
  verdict: string;
  cues?: Cue[];
}

export interface InboxPage {
  notes: Note[];
  total: number;
  waiting: number;
  at: number;
}

export interface Judged {
  ids: string[];
  note: string;
}

export interface Memory {
  id: string;
  text: string;
  title: string;
  kind: string;
  tier: string;
  project: string | null;
  created_at: number;
  updated_at: number;
  state: string;
  retrievability?: number; // none of what was searched by meaning
  stability: number;
  pinned: boolean;
  ended: string | null;
  triggers: string[];
  origin: string;
  session: string | null;
  versions: number;
  superseded_by: string | null;
  uses: number;
  exposures: number;
  status: string;
  valid_from: number | null;
  valid_until: number | null;
  valid: boolean;
  stale: string;
  why?: string; // it is so, in the words of who kept it
}

export interface Browsed {
  memories: Memory[];
  after: number | null;
  total: number | null;
}

export interface Facet {
  name: string;
  memories: number;
}

export interface Facets {
  projects: Facet[];
  kinds: Facet[];
  said_by: Facet[];
  states: string[];
}

export interface Related {
  id: string;
  title: string;
  how: string;
  incoming: boolean;
  strength: number;
  link: string | null;
  ended: string | null;
}

export interface Decision {
  action: string;
  memory: string | null;
  existing: string | null;
  similarity: number | null;
  reason: string | null;
  at: number;
}

export interface Shown {
  memory: Memory;
  decisions: Decision[];
  history: { at: number; what: string; detail: string }[];
  usage: {
    confidence: number;
    validations: number;
    sessions: number;
    cited: number;
    credits: { session: string; cause: string; at: number }[];
    suppressions: number;
    hidden_until: number | null;
    untold: Record<string, number>;
  };
  about: { path: string; symbol: string; command: string; state: string }[];
  related: Related[];
  read?: string[];
}

export interface Why {
  sentences: string[];
}

export interface Course {
  id: string;
  at: number;
  created_at: number;
  past: [number, number][];
  ahead: [number, number][];
  events: { at: number; what: string; grade: number | null }[];
  falls: { at: number; state: string }[];
  borders: Record<string, number>;
}

export interface Considered {
  id: string;
  title: string;
  confidence: number;
  reason: string;
  fate: string;
  characters: number;
  used: string | null;
  became: string;
}

export interface Telling {
  session: string;
  agent: string;
  project: string | null;
  at: number;
  place: string;
  text: string;
  answered: boolean;
  characters: number;
  milliseconds: number;
  mode: string;
  considered: Considered[];
}

export interface Undo {
  name: string;
  body: Record<string, unknown>;
  words: string;
}

export interface Happened {
  id: string;
  at: number;
  title: string;
  text: string;
  kind: string;
  project: string | null;
  session: string | null;
  said_by: string;
  origin: string;
  quotation: string;
  how: string;
  before: string;
  before_id: string | null;
  ended: string | null;
  undo: Undo | null;
}

export interface Day {
  at: number;
  since: number;
  until: number;
  learnt: Happened[];
  told: Telling[];
  corrected: Happened[];
  forgotten: Happened[];
  more: Record<string, number>;
}

export interface PlacedNote {
  id: string;
  part: string;
  reason: string;
  title: string;
  characters: number;
  became: string;
}

export interface StartPage {
  project: string | null;
  text: string;
  characters: number;
  notes: PlacedNote[];
}

export interface Status {
  ready: boolean;
  version: string;
  home: string;
  uptime: number;
  memories: number | null;
  vectors: string;
  vectors_detail: string;
  spooled: number | null;
  undone: number | null;
  degraded: string[];
  actors: Record<string, Record<string, unknown>>;
  plans: number;
  passages: number;
  passages_bytes: number;
  inbox: number;
  backup: number | null;
  recording_off: string;
  recording: string[];
}

export interface HealthShown {
  at: number;
  days: number;
  latencies: { place: string; count: number; median: number; high: number; longest: number }[];
  read: { day: number; readings: number; failed: number; notes: number; tokens: number; dollars: number | null }[];
  on_disk: Record<string, number>;
}

export interface Figures {
  memories: number;
  kinds: Record<string, number>;
  states: Record<string, number>;
  projects: Record<string, number>;
  ended: Record<string, number>;
  on_disk: Record<string, number>;
  days: number;
  exposures: number;
  uses: number;
  shown: number;
  cited: number;
}

export interface Reader {
  engine: string;
  since: number | null;
  stopped: string;
  reading: string;
  next: string;
  why: string;
  waiting: number;
  sessions: number;
  notes: number;
  tokens: number;
  tokens_today: number;
  tokens_per_day: number;
  dollars: number | null;
  unread: string[];
  past: {
    session: string;
    project: string | null;
    engine: string;
    why: string;
    ended_at: number;
    tokens: number;
    dollars: number | null;
    failure: string;
    written: number;
  }[];
  at: number;
}

export interface Shortfall {
  subject: string;
  state: string; // warn, fail
  line: string;
  command: string;
  name: string | null;
  body: Record<string, unknown> | null;
}

export interface Recording {
  lines: string[];
  at: number;
}

export interface LiveEvent {
  what: string;
}
