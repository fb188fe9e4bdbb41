import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { isCollected } from "../testing/heap/collected.ts";
import {
  Counter,
  collectProcessMetrics,
  countedEvent,
  counterIn,
  logEvent,
  makeHealth,
  makeLogger,
  makeMetrics,
  recordUnreadable,
  showSilentNodes,
} from "./index.ts";

const logged = (write: (logger: ReturnType<typeof makeLogger>) => void): string => {
  let text = "";
  const destination = new Writable({
    write: (chunk, _, done) => {
      text += String(chunk);
      done();
    },
  });
  write(makeLogger({ name: "test", level: "info", destination }));
  return text;
};

describe("the log", () => {
  it("is one JSON object a line, with name, level and time", () => {
    expect(JSON.parse(logged((logger) => logger.info({ n: 1 }, "ready")))).toMatchObject({
      name: "test",
      level: "info",
      msg: "ready",
      n: 1,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it.each(["passphrase", "token", "authorization", "privateKey", "share", "x-dfns-useraction"])(
    "INV-10 never shows the value of %s, at the top or below",
    (name) => {
      const text = logged((logger) =>
        logger.info({ [name]: "hunter2", a: { [name]: "hunter2", b: { [name]: "hunter2" } } }, "request"),
      );
      expect(text).not.toContain("hunter2");
      expect(text.match(/\[redacted\]/g)).toHaveLength(3);
    },
  );
});

describe("metrics", () => {
  it("are Prometheus text with the service's name, and each registry has its own", async () => {
    const [one, other] = [makeMetrics("one"), makeMetrics("other")];
    new Counter({ name: "conclave_things", help: "Things", registers: [one.registry] }).inc(2);
    expect(await one.text()).toContain('conclave_things{service="one"} 2');
    expect(await other.text()).not.toContain("conclave_things");
  });

  it("have those of the process once they are asked for", async () => {
    const metrics = makeMetrics("one");
    expect(await metrics.text()).not.toContain("process_resident_memory_bytes");
    collectProcessMetrics(metrics);
    expect(await metrics.text()).toContain("process_resident_memory_bytes");
  });

  it("last no longer than their service: many may live and end in one process", async () => {
    expect(await isCollected(() => makeMetrics("one").registry)).toBe(true);
  });
});

describe("chain nodes that do not answer", () => {
  it("are in the metrics from the start, and in the log at each change", async () => {
    const metrics = makeMetrics("one");
    const lines: string[] = [];
    const log = (_: object, line: string) => lines.push(line);
    const show = showSilentNodes(metrics, ["Bitcoin", "Tron"], { info: log, warn: log });
    const shown = async () => (await metrics.text()).match(/^conclave_chain_node_silent\{.*$/gm);
    const of = (network: string, is: number) =>
      `conclave_chain_node_silent{network="${network}",service="one"} ${is}`;
    expect(await shown()).toEqual([of("Bitcoin", 0), of("Tron", 0)]);
    show("Tron", true);
    expect(await shown()).toEqual([of("Bitcoin", 0), of("Tron", 1)]);
    show("Tron", false);
    expect(await shown()).toEqual([of("Bitcoin", 0), of("Tron", 0)]);
    expect(lines).toEqual([
      "a chain node does not answer, and is left alone for some seconds",
      "a chain node answers again",
    ]);
  });
});

describe("an event", () => {
  const fields = { what: "a", size: 2 };

  it("is a line with its name, its fields and its sentence, which may use the fields", () => {
    const seen = logEvent<typeof fields>()("warn", "thing-seen", "a thing is seen");
    const sized = logEvent<typeof fields>()("info", "thing-sized", ({ size }) => `its size is ${size}`);
    const lines = logged((logger) => {
      seen(logger, fields);
      sized(logger, fields);
    });
    expect(
      lines
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { level: "warn", event: "thing-seen", msg: "a thing is seen", ...fields },
      { level: "info", event: "thing-sized", msg: "its size is 2", ...fields },
    ]);
  });

  it("that a metric counts is logged and counted by one call, and several may count with one counter", async () => {
    const counter = { name: "conclave_things_total", help: "Things", labelNames: ["what"] } as const;
    const labels = ({ what }: typeof fields) => ({ what });
    const seen = countedEvent<typeof fields>()("warn", "thing-seen", "seen", { counter, labels });
    const sized = countedEvent<typeof fields>()("warn", "thing-sized", "sized", {
      counter,
      labels,
      by: ({ size }) => size,
    });
    const [one, other] = [makeMetrics("one"), makeMetrics("other")];
    const [write, writeSized] = [seen(one), sized(one)];
    seen(other);
    expect(await one.text()).toContain("# HELP conclave_things_total Things");
    const lines = logged((logger) => {
      write(logger, fields);
      writeSized(logger, fields);
    });
    expect(lines.trim().split("\n")).toHaveLength(2);
    expect(await one.text()).toContain('conclave_things_total{what="a",service="one"} 3');
    expect(await other.text()).not.toContain("conclave_things_total{");
    counterIn(one, counter).inc({ what: "a" });
    expect(await one.text()).toContain('conclave_things_total{what="a",service="one"} 4');
  });

  it("of a record that cannot be read is counted by the kind in its id", async () => {
    const metrics = makeMetrics("one");
    const unreadable = recordUnreadable(metrics);
    const lines = logged((logger) => {
      unreadable(logger, { record: "wa-00000-00000-0000000000000000", columns: ["tags"] });
      unreadable(logger, { record: "7", columns: [] });
    });
    expect(lines).toContain('"record":"wa-00000-00000-0000000000000000","columns":["tags"]');
    const text = await metrics.text();
    expect(text).toContain('conclave_unreadable_records_total{kind="wa",service="one"} 1');
    expect(text).toContain('conclave_unreadable_records_total{kind="other",service="one"} 1');
  });
});

describe("health", () => {
  it("is degraded while a part says no or throws, and names it", async () => {
    const health = makeHealth([
      { name: "database", check: () => Promise.reject(new Error("away")) },
      { name: "bus", check: () => true },
    ]);
    expect(await health.report()).toEqual({ status: "degraded", parts: { database: false, bus: true } });
  });

  it("serves without a part that it spares, and says that it is away", async () => {
    const health = makeHealth([
      { name: "database", check: () => true },
      { name: "bus", check: () => false, isSpared: true },
    ]);
    expect(await health.report()).toEqual({ status: "serving", parts: { database: true, bus: false } });
  });

  it("says that it stops, whatever the parts say", async () => {
    const health = makeHealth([{ name: "bus", check: () => true }]);
    expect((await health.report()).status).toBe("serving");
    health.stopping();
    expect((await health.report()).status).toBe("stopping");
  });
});
