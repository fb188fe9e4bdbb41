import { testParty, testSessionId } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import type { Lives } from "../../control/lives.ts";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import {
  authoriseAuxiliary,
  authoriseKey,
  authoriseKeyChange,
  authoriseTransfer,
  KEY_ID,
  keyIdOf,
  transactionOf,
} from "../../testing/fixtures.ts";
import { authoriseExport, authoriseImport, honestEnvelopes } from "../../testing/key-passage.ts";
import { eventOf, type TestAsked, testLife } from "../../testing/signer-input.ts";

import { SESSION_MEMORY_MS, SWEEP_INTERVAL_MS } from "../limits.ts";
import { storedKey } from "../records/key-records.ts";
import { publicKeyInfoOf, stepSigner } from "../signer.ts";

const isCall = (text: string): text is CallId => text.length > 0;

const call = (): CallId => {
  const name = "call";
  if (!isCall(name)) throw new Error("not a call");
  return name;
};

const LIFETIME_MS = 20_000;
const session = testSessionId("again");
const cluster = new TestCluster({ seed: "run-id", size: 3, threshold: 2, engine: "tiny" });
const state = cluster.node(1).state ?? expect.fail("the signer is alive");
const key = storedKey(state, KEY_ID) ?? expect.fail("it holds the key");
const change = { publicKey: bytesToHex(key.publicKey), epoch: 1, threshold: 2, parties: [1, 2, 3] };
const envelopes = honestEnvelopes(3, 2);

const PRESIGNING: TestAsked = {
  kind: "presigning",
  call: call(),
  session,
  quorum: [1, 2],
  keyId: KEY_ID,
  expiresAtMs: 0,
};
/** Commands of each protocol. @param date of the authorisation, ISO 8601 */
const COMMANDS: Readonly<Record<string, (date: string) => TestAsked>> = {
  presigning: () => PRESIGNING,
  signing: (date) => ({
    ...PRESIGNING,
    kind: "signing",
    authorisation: authoriseTransfer(1, KEY_ID, date),
    unsigned: transactionOf(7),
    presignatures: [],
    dead: undefined,
  }),
  "auxiliary generation": (date) => ({
    ...PRESIGNING,
    kind: "auxiliary",
    epoch: 9,
    authorisation: authoriseAuxiliary(1, 9, [1, 2, 3], date),
  }),
};
const OTHER_COMMANDS: typeof COMMANDS = {
  "key generation": () => ({
    ...PRESIGNING,
    kind: "key-generation",
    authorisation: authoriseKey(keyIdOf(9), 2),
  }),
  "key import": () => ({
    ...PRESIGNING,
    kind: "key-import",
    authorisation: authoriseImport(envelopes, { threshold: 2 }),
    envelope: envelopes.get(testParty(1)) ?? expect.fail("it is sealed"),
  }),
  "key export": () => ({
    ...PRESIGNING,
    kind: "key-export",
    authorisation: authoriseExport({ keyId: KEY_ID }),
  }),
  "key refresh": () => ({
    ...PRESIGNING,
    kind: "key-refresh",
    authorisation: authoriseKeyChange({ kind: "key-refresh", ...change }),
  }),
  "key reshare": () => ({
    ...PRESIGNING,
    kind: "key-reshare",
    authorisation: authoriseKeyChange({ kind: "key-reshare", ...change }),
    dealers: [1, 2],
    info: publicKeyInfoOf(state, KEY_ID) ?? expect.fail("it holds the key"),
  }),
};

/** The step of a signer that is asked for a session. */
const begun = (from: typeof state, command: TestAsked, nowMs: number, lives: Lives = cluster.lives) =>
  stepSigner(from, eventOf({ ...command, expiresAtMs: nowMs + LIFETIME_MS }, lives), nowMs);

const runIn = ({ state: { sessions } }: ReturnType<typeof begun>): string => {
  const [run, ...more] = sessions.keys();
  return run === undefined || more.length > 0 ? expect.fail("there is one session") : run;
};

describe("INV-7 a session that begins again once its id is forgotten", () => {
  test.each(Object.entries(COMMANDS))(
    "is another run, where nothing counts that was signed in the first: %s",
    (_, command) => {
      const nowMs = cluster.world.nowMs();
      const first = begun(state, command(new Date(nowMs).toISOString()), nowMs);
      const laterMs = nowMs + LIFETIME_MS + SESSION_MEMORY_MS + SWEEP_INTERVAL_MS;
      const forgotten = stepSigner(first.state, { kind: "tick" }, laterMs).state;
      const second = begun(forgotten, command(new Date(laterMs).toISOString()), laterMs);
      expect(runIn(second)).not.toBe(runIn(first));
    },
  );
});

describe("INV-7 a session that begins again in another life", () => {
  const nowMs = cluster.world.nowMs();
  const asked = Object.entries({ ...COMMANDS, ...OTHER_COMMANDS }).map(
    ([name, command]) => [name, command(new Date(nowMs).toISOString())] as const,
  );
  const other = testLife(testParty(9));
  const refusalOf = (command: TestAsked, lives: Lives) => {
    const { state: after, effects } = begun(state, command, nowMs, lives);
    expect(after.sessions.size).toBe(0);
    const [effect, ...more] = effects;
    expect(more).toEqual([]);
    const report = effect?.kind === "report" ? effect.report : expect.fail("it refuses");
    return report.kind === "refusal" ? report.problem : expect.fail("it refuses");
  };

  test.each(asked)(
    "of its signer is refused, and the refusal shows the life that it has: %s",
    (_, command) => {
      const { code, details } = refusalOf(command, new Map(cluster.lives).set(testParty(1), other));
      expect([code, details["life"]]).toEqual(["SignerLifeUnknown", bytesToHex(state.life)]);
    },
  );

  test.each(asked)("of its signer is another run: %s", (_, command) => {
    const reborn = stepSigner(state, { kind: "resumed", life: other }, nowMs).state;
    const confirmed = { ...reborn, spending: state.spending };
    const lives = new Map(cluster.lives).set(testParty(1), other);
    expect(runIn(begun(confirmed, command, nowMs, lives))).not.toBe(runIn(begun(state, command, nowMs)));
  });

  test.each(asked.filter(([name]) => name !== "key export"))(
    "of a peer is another run, and none where nobody names the peer's life: %s",
    (_, command) => {
      const lives = new Map(cluster.lives).set(testParty(2), other);
      expect(runIn(begun(state, command, nowMs, lives))).not.toBe(runIn(begun(state, command, nowMs)));
      const unnamed = new Map([[testParty(1), state.life]]);
      expect(refusalOf(command, unnamed).code).toBe("SignerLifeUnknown");
    },
  );
});
