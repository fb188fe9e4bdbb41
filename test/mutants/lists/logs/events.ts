import type { EditedFile } from "../../edit.ts";

const LOG = "packages/orchestrator/src/log";

const COUNTED: EditedFile = {
  path: "packages/platform/src/telemetry/counted-event.ts",
  tests: ["packages/platform/src/telemetry/telemetry.test.ts"],
  edits: [
    {
      weakens: "an event that a metric counts is counted",
      find: "counter.inc(labels(fields), by(fields));",
      put: "",
    },
    {
      weakens: "an event that a metric counts is logged",
      find: "write(log, fields);",
      put: "",
    },
    {
      weakens: "two events count with one counter",
      find: "known instanceof Counter ? known : ",
      put: "",
    },
  ],
};

const NUMBERED: EditedFile = {
  path: `${LOG}/numbered-sessions.ts`,
  tests: [`${LOG}/numbered-sessions.test.ts`],
  edits: [
    {
      weakens: "a session has one number at all its signers",
      find: "if (!this.#attempts.has(session)) {",
      put: "{",
    },
    {
      weakens: "the numbers of so many sessions are remembered",
      find: "if (this.#attempts.size > REMEMBERED) this.#attempts.delete(oldest);",
      put: "void oldest;",
    },
  ],
};

const NAMED: EditedFile = {
  path: "packages/orchestrator/src/coordinators.ts",
  tests: ["packages/orchestrator/src/coordinators.test.ts"],
  edits: [
    {
      weakens: "the line of a session that is lost names its request",
      find: "sessionLost(logger, { ...sessions.of(session), signer, reason })",
      put: "sessionLost(logger, { session, signer, reason })",
    },
    {
      weakens: "the lines of a signature's sessions name its request",
      find: "this.#sign({ keyId, requestId }, machine, means, waiting)",
      put: "this.#sign({ keyId }, machine, means, waiting)",
    },
  ],
};

const FAULTS: EditedFile = {
  path: `${LOG}/session-events.ts`,
  tests: [`${LOG}/counted-events.test.ts`],
  edits: [
    {
      weakens: "deviations are counted by the step of the protocol",
      find: "step: checkedStep(check)",
      put: 'step: "other"',
    },
  ],
};

const DEPOSITS: EditedFile = {
  path: `${LOG}/deposit-events.ts`,
  tests: [`${LOG}/counted-events.test.ts`],
  edits: [
    {
      weakens: "all blocks that are forgotten count",
      find: ", by: ({ blocks }) => blocks",
      put: "",
    },
    {
      weakens: "all deposits count that no event tells of",
      find: "by: ({ unannounced }) => unannounced,",
      put: "",
    },
  ],
};

/** A line of the log, and the number that it is counted in (INV-7). */
export const LOG_EDITS: readonly EditedFile[] = [COUNTED, NUMBERED, NAMED, FAULTS, DEPOSITS];
