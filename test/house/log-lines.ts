import { codeOf } from "./code-text.ts";
import type { SourceFile } from "./source-files.ts";

/** They write events, and call a logger for that. */
const WRITERS = ["log-event", "counted-event"].map((name) => `packages/platform/src/telemetry/${name}.ts`);
/** Files that declare events. */
const VOCABULARY = /\/log-events\.ts$|\/(?:log|telemetry)\/[a-z-]+-events\.ts$/;
const LEVELS = "(?:trace|debug|info|warn|error|fatal)";
const LOGGER = "#?log(?:ger)?";

/** Ways to write a line, or to come by a function that does, in code without its texts. */
const FREE = new RegExp(
  [
    // a call, whatever the logger's name
    `\\.\\s*${LEVELS}\\s*(?:\\?\\.\\s*)?\\(`,
    // a function of a logger, for somebody else to call
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

/** An event of a log, as it is declared. */
export interface DeclaredEvent {
  readonly path: string;
  readonly event: string;
  /** with `${…}` where it uses a field; undefined where a caller hands it in */
  readonly sentence: string | undefined;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Lines of a log that are no events, and events that are declared away from the vocabularies, each with a sentence. */
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

/** The events that the vocabularies among these files declare. @throws Error where one cannot be read */
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
