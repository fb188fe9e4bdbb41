import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { declaredEvents, freeLogLines } from "./log-lines.ts";
import { isTest, ROOT, roomOf, sourcesBelow } from "./source-files.ts";

/** The packages whose processes write logs. */
const PLATFORM = "packages/platform";
const PROCESSES = ["packages/gateway", "packages/orchestrator", "packages/signer"];
const sources = sourcesBelow(PLATFORM, ...PROCESSES, "services").filter(({ path }) => !isTest(path));
const events = declaredEvents(sources);

const USE_CASE = "packages/gateway/src/clocks.ts";
const of = (text: string, path = USE_CASE) => freeLogLines([{ path, text }]);

describe("a line of a log", () => {
  it.each([
    'logger.warn({ setByMs }, "the clock was set");',
    'if (isOff)\n  work.logger?.info("it is off");',
    "core.logger\n  .error({ err }, `it failed`);",
    'this.#logger.debug({}, "seen");',
    'report.warn({ certificateEnds }, "it ends");',
    'log.fatal?.({ err }, "it ends");',
    "attend({ onFailure: logger.warn });",
    "const say = this.#log.info;",
    'logger[level]({ err }, "it broke");',
    "const { warn } = parts.logger;",
    'console.log("here");',
  ])("is found that is no event: %s", (text) => {
    expect(of(text)).toHaveLength(1);
    expect(of(text)[0]).toMatch(/^packages\/gateway\/src\/clocks\.ts:[12] logs by itself/);
  });

  it.each([
    "databaseClockSet(logger, { setByMs });",
    "const { logger, database } = this.#work;",
    "const { level } = logger.settings;",
    'parts.logger; // logger.warn({}, "as before")',
    'const words = "logger.warn({})";',
    "if (!answer.ok) return answer.error;",
  ])("is none in: %s", (text) => {
    expect(of(text)).toEqual([]);
  });

  it("is an event of a vocabulary, and of no other file", () => {
    const text = 'export const clockSet = logEvent<Set>()("warn", "clock-set", "the clock was set");';
    expect(of(text)).toEqual([`${USE_CASE}:1 declares an event: a vocabulary does`]);
    expect(of(text, "packages/gateway/src/log-events.ts")).toEqual([]);
    expect(of(text, "packages/orchestrator/src/log/key-events.ts")).toEqual([]);
  });

  it("is an event everywhere", () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(freeLogLines(sources)).toEqual([]);
  });
});

describe("the events of logs", () => {
  it("are read with their sentences", () => {
    const text = [
      'logEvent<{ code: "A" }>()(\n  "fatal",\n  "thing-broke",\n  "a \\"thing\\" broke",\n)',
      'logEvent<A>()("info", "thing-made", ({ name }) => `a thing is made`)',
      'countedEvent<A>()("warn", "thing-said", remedy, { counter: { name: "x" } })',
    ].join("\n");
    const path = "packages/signer/src/log-events.ts";
    expect(declaredEvents([{ path, text }])).toEqual([
      { path, event: "thing-broke", sentence: 'a \\"thing\\" broke' },
      { path, event: "thing-made", sentence: "a thing is made" },
      { path, event: "thing-said", sentence: undefined },
    ]);
    expect(() => declaredEvents([{ path, text: "logEvent()(level, name, text)" }])).toThrow("0 of 1");
  });

  it("have names of words, each of one event of a process", () => {
    expect(events.length).toBeGreaterThan(100);
    expect(events.filter(({ event }) => !/^[a-z]+(?:-[a-z]+)+$/.test(event))).toEqual([]);
    for (const process of PROCESSES) {
      const names = events
        .filter(({ path }) => [process, PLATFORM].includes(roomOf(path)))
        .map(({ event }) => event);
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    }
  });

  it("are those that packages/orchestrator/README.md quotes", () => {
    const readme = readFileSync(join(ROOT, "packages/orchestrator/README.md"), "utf8");
    const [table = ""] = /^\| line of the log [\s\S]*?\n\n/m.exec(readme) ?? [];
    const quoted = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line),
    );
    const isSaid = (line: string) =>
      events.some(({ sentence = "" }) =>
        line.endsWith("…") ? sentence.startsWith(line.slice(0, -1).trimEnd()) : sentence === line,
      );
    expect(quoted.length).toBeGreaterThan(25);
    expect(quoted.filter((line) => !isSaid(line))).toEqual([]);
  });
});
