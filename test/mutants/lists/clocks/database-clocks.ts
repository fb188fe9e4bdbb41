import type { EditedFile } from "../../edit.ts";

const CLOCK = "packages/platform/src/postgres/clock";

const MEASURED: EditedFile = {
  path: `${CLOCK}/database-clock.ts`,
  tests: [`${CLOCK}/database-clock.test.ts`],
  edits: [
    {
      weakens: "an answer that was long on its way tells no time",
      find: "before !== undefined && answeredMs - askedMs > ANSWER_MS_MAX",
      put: "before !== undefined && answeredMs < askedMs",
    },
    {
      weakens: "the first answer counts, however long it took",
      find: "before !== undefined && answeredMs - askedMs > ANSWER_MS_MAX",
      put: "answeredMs - askedMs > ANSWER_MS_MAX",
    },
    {
      weakens: "what clocks drift is no jump",
      find: "Math.abs(offsetMs - before) < STEP_MS ? 0 : ",
      put: "",
    },
    {
      weakens: "time goes on between two measurements",
      find: "this.#world.monotonicMs() + this.#offsetMs",
      put: "this.#offsetMs",
    },
    {
      weakens: "nothing ends by this machine's clock alone",
      find: "Math.min(this.#world.nowMs(), this.nowMs())",
      put: "this.#world.nowMs()",
    },
    {
      weakens: "nothing ends by the database's clock alone",
      find: "Math.min(this.#world.nowMs(), this.nowMs())",
      put: "this.nowMs()",
    },
  ],
};

const DRAWN_IN: EditedFile = {
  path: `${CLOCK}/times-ahead.ts`,
  tests: [`${CLOCK}/times-ahead.test.ts`],
  edits: [
    {
      weakens: "what somebody holds stays held for a lease (INV-4)",
      find: `select id, now() + case when token is null then interval '0' else`,
      put: `select id, now() + case when true then interval '0' else`,
    },
    {
      weakens: "a pause within bounds is left alone",
      find: `then \${INTERVAL("$2")} else`,
      put: `then interval '0' else`,
    },
    {
      weakens: "a lease of presignatures ends",
      find: "const presignatures = await connection.execute(PRESIGNATURES, [presignatureMs]);",
      put: "const presignatures = 0;",
    },
    {
      weakens: "a delivery that was taken is made again (INV-6)",
      find: `where date_leased > now() + \${INTERVAL("$1")}\n        or`,
      put: "where",
    },
    {
      weakens: "the pause of a delivery is known by its attempts (INV-6)",
      find: `or date_due > now() + \${INTERVAL("coalesce(($2::bigint[])[attempts], 0)")}`,
      put: "",
    },
  ],
};

const NOTICED: EditedFile = {
  path: "packages/orchestrator/src/clocks/notice-database-jumps.ts",
  tests: ["packages/orchestrator/src/clocks/notice-database-jumps.test.ts"],
  edits: [
    {
      weakens: "a start draws in what lies too far ahead",
      find: "let drawnInAtMs: number | undefined;",
      put: "let drawnInAtMs: number | undefined = world.monotonicMs();",
    },
    {
      weakens: "a clock that went back has times drawn in",
      find: "if (setByMs === undefined || setByMs < 0) drawnInAtMs = undefined;",
      put: "",
    },
    {
      weakens: "leases are doubted after a jump",
      find: "leases.doubt();",
      put: "",
    },
    {
      weakens: "a round that failed is made up for",
      find: "      const count = await drawIn(database, LEASES);",
      put: "      drawnInAtMs = nowMs;\n      const count = await drawIn(database, LEASES);",
    },
    {
      weakens: "times of a jump that nobody noticed are drawn in (INV-5)",
      find: "if (drawnInAtMs === undefined || nowMs - drawnInAtMs >= DRAWN_IN_EVERY_MS) {",
      put: "if (drawnInAtMs === undefined) {",
    },
    {
      weakens: "a look without a jump reads no deliveries",
      find: "drawnInAtMs === undefined ? drawInTimes : drawInServerTimes",
      put: "drawInTimes",
    },
  ],
};

const GATEWAY: EditedFile = {
  path: "packages/gateway/src/clocks.ts",
  tests: ["packages/gateway/src/clocks.test.ts"],
  edits: [
    {
      weakens: "a clock that is behind serves nobody",
      find: "Math.abs(aheadMs) > CLOCKS_APART_MS_MAX",
      put: "aheadMs > CLOCKS_APART_MS_MAX",
    },
    {
      weakens: "a clock that is ahead serves nobody",
      find: "Math.abs(aheadMs) > CLOCKS_APART_MS_MAX",
      put: "-aheadMs > CLOCKS_APART_MS_MAX",
    },
    {
      weakens: "clocks may differ a little",
      find: "Math.abs(aheadMs) > CLOCKS_APART_MS_MAX",
      put: "Math.abs(aheadMs) >= CLOCKS_APART_MS_MAX",
    },
    {
      weakens: "no request passes a gateway whose clock is wrong",
      find: "if (found !== undefined) return renderProblem(c, found);",
      put: "",
    },
    {
      weakens: "the authority signs nothing by a wrong clock",
      find: "if (found !== undefined) throw new Refused(found);",
      put: "",
    },
    {
      weakens: "a wrong clock is said once",
      find: "if (areApart && !wereApart)",
      put: "if (areApart)",
    },
  ],
};

const DATED: EditedFile = {
  path: "packages/gateway/src/authority.ts",
  tests: ["packages/gateway/src/renew-authorisations.test.ts"],
  edits: [
    {
      weakens: "the authority dates no request later than now (INV-5)",
      find: "Date.parse(request.dateRequested) > at.getTime() ? at.toISOString() : request.dateRequested",
      put: "request.dateRequested",
    },
  ],
};

const GATES: EditedFile = {
  path: "packages/gateway/src/application.ts",
  tests: ["packages/gateway/src/clocks.test.ts"],
  edits: [
    {
      weakens: "every request passes the clock's gate",
      find: "  clockGate(dependencies.databaseClock),\n",
      put: "",
    },
  ],
};

const OF_SIGNERS: EditedFile = {
  path: "packages/orchestrator/src/clocks/notice-signer-clocks.ts",
  tests: ["packages/orchestrator/src/clocks/notice-signer-clocks.test.ts"],
  edits: [
    {
      weakens: "a signer's clock that is off is said once",
      find: "if (isClockOff && !off.has(id))",
      put: "if (isClockOff)",
    },
    {
      weakens: "of a signer that is away nothing is said",
      find: "if (clockAheadMs === undefined) continue;",
      put: "if (clockAheadMs === undefined && off.delete(id)) signerClockAgrees(logger, { signer: id, aheadMs: 0 });\n      if (clockAheadMs === undefined) continue;",
    },
  ],
};

const SIGNER_VIEW: EditedFile = {
  path: "packages/platform/src/coordination/signers.ts",
  tests: ["packages/orchestrator/src/clocks/notice-signer-clocks.test.ts"],
  edits: [
    {
      weakens: "a signer's clock that is behind is said, too",
      find: "Math.abs(aheadMs) > CLOCK_OFF_MS",
      put: "aheadMs > CLOCK_OFF_MS",
    },
  ],
};

const WINDOWS: EditedFile = {
  path: "packages/platform/src/postgres/people/request-windows.ts",
  tests: ["packages/platform/src/postgres/clock/times-ahead.test.ts"],
  edits: [
    {
      weakens: "a window of requests is over when the clock went back",
      find: " or known.date_ends > excluded.date_ends + make_interval(secs => $4)",
      put: "",
    },
    {
      weakens: "a window of requests is one for gateways that ask at once",
      find: "excluded.date_ends + make_interval(secs => $4)",
      put: "excluded.date_ends",
    },
  ],
};

/** The clocks of the database, orchestrators and gateways may be wrong (INV-4, INV-5, INV-6). */
export const DATABASE_CLOCK_EDITS: readonly EditedFile[] = [
  MEASURED,
  DRAWN_IN,
  NOTICED,
  GATEWAY,
  DATED,
  GATES,
  OF_SIGNERS,
  SIGNER_VIEW,
  WINDOWS,
];
