import { codeOf } from "./code-text.ts";
import type { SourceFile } from "./source-files.ts";

/** These two write events, so they call a logger. */
const WRITERS = ["log-event", "counted-event"].map((name) => `packages/platform/src/telemetry/${name}.ts`);
/** Files that declare events. */
const VOCABULARY = /\/log-events\.ts$|\/(?:log|telemetry)\/[a-z-]+-events\.ts$/;
const LEVELS = "(?:trace|debug|info|warn|error|fatal)";
const LOGGER = "#?log(?:ger)?";

/** Code that writes a log line directly, or obtains a function that does. Matched against code whose strings are blank. */
const FREE = new RegExp(
  [
    // a call of a level method on any object
    `\\.\\s*${LEVELS}\\s*(?:\\?\\.\\s*)?\\(`,
    // a logger's method that is passed on
    `\\b${LOGGER}\\s*\\??\\.\\s*${LEVELS}\\b`,
    `\\b${LOGGER}\\s*(?:\\?\\.\\s*)?\\[`,
    `\\}\\s*=\\s*(?:[\\w$]+\\.)*${LOGGER}\\b(?!\\s*\\.)`,
    "\\bconsole\\s*[.[]",
  ].join("|"),
  "g",
);
const DECLARED = /\b(?:logEvent|countedEvent)\s*[<(]/g;
const EVENT =
  /\(\s*"(?:debug|info|warn|error|fatal)",\s*"([^"]*)",\s*(?:\([^)]*\)\s*=>\s*)?(?:"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)?/g;

/** A declared log event. */
export interface DeclaredEvent {
  readonly path: string;
  readonly event: string;
  /** the sentence, with `${…}` for its fields; undefined if a caller passes it */
  readonly sentence: string | undefined;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** A sentence for each log line that is no event, and for each event that is declared outside the vocabularies. */
export const freeLogLines = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => !WRITERS.includes(path))
    .flatMap(({ path, text }) => {
      const code = codeOf(text);
      const free = [...code.matchAll(FREE)].map(
        ({ index }) => `${path}:${lineOf(code, index)} logs by itself: it calls an event of a vocabulary`,
      );
      const away = VOCABULARY.test(path) ? [] : [...code.matchAll(DECLARED)];
      return [
        ...free,
        ...away.map(({ index }) => `${path}:${lineOf(code, index)} declares an event: a vocabulary does`),
      ];
    });

/** The events that the vocabularies among these files declare. @throws Error if a declaration cannot be parsed */
export const declaredEvents = (files: readonly SourceFile[]): readonly DeclaredEvent[] =>
  files
    .filter(({ path }) => VOCABULARY.test(path))
    .flatMap(({ path, text }) => {
      const events = [...text.matchAll(EVENT)].map(([, event = "", plain, made]) => ({
        path,
        event,
        sentence: plain ?? made,
      }));
      const count = [...codeOf(text).matchAll(DECLARED)].length;
      if (events.length !== count) throw new Error(`${path}: ${events.length} of ${count} events are read`);
      return events;
    });
