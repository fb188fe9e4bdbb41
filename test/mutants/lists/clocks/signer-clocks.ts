import type { EditedFile } from "../../edit.ts";

const SIGNER = "packages/cluster/src/signer";
const JUMPS = ["packages/cluster/src/cluster-signer-clocks.test.ts"];

const FORGOTTEN: EditedFile = {
  path: `${SIGNER}/session/forgotten.ts`,
  tests: [`${SIGNER}/session/expiry.test.ts`, ...JUMPS],
  edits: [
    {
      weakens: "nothing is forgotten before the authority's date is known",
      find: "if (authorisedAtMs === undefined) return { state, effects: [] };",
      put: "",
    },
    {
      weakens: "the authority's date bounds what is forgotten",
      find: "Math.min(nowMs, authorisedAtMs, furthestMs)",
      put: "Math.min(nowMs, furthestMs)",
    },
    {
      weakens: "this clock bounds what is forgotten",
      find: "Math.min(nowMs, authorisedAtMs, furthestMs)",
      put: "Math.min(authorisedAtMs, furthestMs)",
    },
    {
      weakens: "a sweep forgets some minutes more, and not months",
      find: "Math.min(nowMs, authorisedAtMs, furthestMs)",
      put: "Math.min(nowMs, authorisedAtMs)",
    },
    {
      weakens: "what is marked as forgotten stays so",
      find: "Math.max(forgotten.toMs, untilMs)",
      put: "untilMs",
    },
    {
      weakens: "no request is signed of which the binding may be forgotten (INV-4)",
      find: "forgetAtMs <= forgotten.toMs",
      put: "forgetAtMs < 0",
    },
    {
      weakens: "no session begins that may be forgotten (INV-7)",
      find: "expiresAtMs + SESSION_MEMORY_MS <= forgotten.toMs",
      put: "expiresAtMs + SESSION_MEMORY_MS <= 0",
      tests: JUMPS,
    },
  ],
};

const MESSAGES: EditedFile = {
  path: `${SIGNER}/session/message-ids.ts`,
  tests: [`${SIGNER}/session/message-ids.test.ts`],
  edits: [
    {
      weakens: "no id is forgotten before its deadline has passed",
      find: "ids.older.toMs > nowMs",
      put: "ids.older.toMs < 0",
    },
    {
      weakens: "a deadline that a forgotten id had is refused for ever",
      find: "Math.max(ids.refusedToMs, ids.older.toMs)",
      put: "ids.refusedToMs",
    },
  ],
};

const BEGINNING: EditedFile = {
  path: `${SIGNER}/signing/begin-signing.ts`,
  tests: JUMPS,
  edits: [
    {
      weakens: "the authority's date is that of what was accepted last",
      find: "{ ...before, authorisedAtMs: understood.value.signedAtMs }",
      put: "before",
    },
  ],
};

const MENDED: EditedFile = {
  path: `${SIGNER}/session/mended-marks.ts`,
  tests: [`${SIGNER}/session/mended-marks.test.ts`],
  edits: [
    {
      weakens: "a date mends once",
      find: " || nowMs <= forgotten.mendedMs",
      put: "",
    },
    {
      weakens: "no session begins for a while that may have begun before the mending",
      find: "const toMs = nowMs + SESSION_LIFETIME_MS_MAX + SESSION_MEMORY_MS;",
      put: "const toMs = nowMs;",
    },
    {
      weakens: "only what may be forgotten is lost",
      find: "Math.min(forgotten.toMs - REQUEST_AGE_MS_MAX, latestMs)",
      put: "latestMs",
    },
    {
      weakens: "what may be forgotten is lost up to the date of the mending, as far as clocks differ",
      find: "Math.min(forgotten.toMs - REQUEST_AGE_MS_MAX, latestMs)",
      put: "Math.min(forgotten.toMs - REQUEST_AGE_MS_MAX, nowMs)",
    },
    {
      weakens: "right marks stay as they are",
      find: "if (forgotten.toMs <= toMs) return { ...forgotten, requestedToMs, olderMs, mendedMs: nowMs };",
      put: "",
    },
  ],
};

const START: EditedFile = {
  path: "packages/signer/src/marks.ts",
  tests: ["packages/signer/src/marks.test.ts"],
  edits: [
    {
      weakens: "a date of long ago mends nothing",
      find: "mendedAtMs <= nowMs && nowMs < mendedAtMs + GIVEN_MS_MAX",
      put: "mendedAtMs <= nowMs",
    },
    {
      weakens: "a date that is to come mends nothing",
      find: "mendedAtMs <= nowMs && nowMs < mendedAtMs + GIVEN_MS_MAX",
      put: "nowMs < mendedAtMs + GIVEN_MS_MAX",
    },
    {
      weakens: "a start warns of marks that are far ahead",
      find: "if (markedToMs <= nowMs + AHEAD_MS_MAX) return;",
      put: "if (markedToMs > 0) return;",
    },
  ],
};

const USES = ["packages/cluster/src/cluster-clock-uses.test.ts"];

const ROOM: EditedFile = {
  path: `${SIGNER}/session/remembered-ids.ts`,
  tests: USES,
  edits: [
    {
      weakens: "ids are counted until their minute is over, by a clock that went back as well",
      find: "if (minute >= minuteOf(nowMs)) count += written;",
      put: "if (Math.abs(minute - minuteOf(nowMs)) < 75) count += written;",
    },
    {
      weakens: "ids are counted no more once their minute is over",
      find: "if (minute >= minuteOf(nowMs)) count += written;",
      put: "if (minute > 0) count += written;",
    },
  ],
};

const MAIL: EditedFile = {
  path: `${SIGNER}/session/mail.ts`,
  tests: USES,
  edits: [
    {
      weakens: "envelopes wait for so long, by a clock that jumps ahead",
      find: "nowMs - arrivedAtMs <= MAIL_AGE_MS_MAX",
      put: "nowMs > 0",
    },
    {
      weakens: "envelopes of before are kept by a clock that went back",
      find: "nowMs - arrivedAtMs <= MAIL_AGE_MS_MAX",
      put: "Math.abs(nowMs - arrivedAtMs) <= MAIL_AGE_MS_MAX",
    },
  ],
};

const LONGEST_DEADLINE: EditedFile = {
  path: `${SIGNER}/signing/understand.ts`,
  tests: USES,
  edits: [
    {
      weakens: "a transfer's deadline is at most a day ahead of the signer's clock (INV-5)",
      find: "deadlineMs <= nowMs + DEADLINE_AHEAD_MS_MAX",
      put: "deadlineMs > 0",
    },
  ],
};

const ASKED_ANEW: EditedFile = {
  path: `${SIGNER}/session/resumption.ts`,
  tests: USES,
  edits: [
    {
      weakens: "counts are asked anew after a jump (INV-4)",
      find: "= unconfirmedSince(before.spending, nowMs)",
      put: "= before.spending",
    },
    {
      weakens: "counts are asked at once after a jump (INV-4)",
      find: "return andThen(emptied, (next) => askSpending(next, nowMs));",
      put: "return nowMs > 0 ? ended : andThen(ended, (next) => askSpending(next, nowMs));",
    },
  ],
};

const PEER_CLIENT: EditedFile = {
  path: "packages/platform/src/grpc/peer-client.ts",
  tests: ["packages/platform/src/grpc/peer-client.test.ts"],
  edits: [
    {
      weakens: "an envelope that waited too long by this clock is dropped",
      find: 'for (const waiting of again) if (waiting.sinceMs < oldestMs) this.#forget(waiting, "too old");\n    this.#queue.unshift(...again.filter(({ sinceMs }) => sinceMs >= oldestMs));',
      put: "this.#queue.unshift(...again);",
    },
    {
      weakens: "an envelope of before is kept by a clock that went back",
      find: 'for (const waiting of again) if (waiting.sinceMs < oldestMs) this.#forget(waiting, "too old");\n    this.#queue.unshift(...again.filter(({ sinceMs }) => sinceMs >= oldestMs));',
      put: 'const isOld = ({ sinceMs }: Waiting) => Math.abs(Date.now() - sinceMs) > ENVELOPE_AGE_MS_MAX;\n    for (const waiting of again) if (isOld(waiting)) this.#forget(waiting, "too old");\n    this.#queue.unshift(...again.filter((waiting) => !isOld(waiting) || oldestMs < 0));',
    },
  ],
};

/** Every clock of a signer may be wrong (INV-2, INV-4, INV-5, INV-7). */
export const CLOCK_EDITS: readonly EditedFile[] = [
  FORGOTTEN,
  MESSAGES,
  BEGINNING,
  MENDED,
  START,
  ROOM,
  MAIL,
  LONGEST_DEADLINE,
  ASKED_ANEW,
  PEER_CLIENT,
];
