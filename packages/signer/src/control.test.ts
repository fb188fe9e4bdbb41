import { LIFE_BYTES, type SignerEvent } from "@conclave/cluster";
import { fail, ok, problem } from "@conclave/custody";
import type { StreamReport } from "@conclave/platform/grpc";
import { beforeEach, expect, test } from "vitest";
import { Control } from "./control.ts";

const COMMAND = { kind: "auxiliary", epoch: 1, expiresAtMs: 0 } as const;
const ASKED = { session: new Uint8Array(32), lives: new Map(), command: COMMAND };

let events: SignerEvent[];
let heard: StreamReport[];
let control: Control;
beforeEach(() => {
  events = [];
  heard = [];
  control = new Control((event) => void events.push(event), {
    isBusy: () => false,
    status: () => expect.fail("nobody asks"),
    keys: () => expect.fail("nobody asks"),
    keyInfo: () => undefined,
    attestation: () => undefined,
    certificate: () => undefined,
    presignatures: () => [],
    signed: () => expect.fail("nobody asks"),
  });
});

const begin = () => control.begin(ASKED, (report) => void heard.push(report));
/** The call of the latest event. */
const latestCall = () => {
  const event = events.at(-1);
  return event !== undefined && "call" in event ? event.call : expect.fail("no call");
};
const PROGRESS = { kind: "progress", stage: "auxiliary/1" } as const;
const FAILURE = { kind: "failure", reason: "it failed", silent: [] } as const;
const STOPPED = { kind: "failure", reason: "the signer stops", silent: [] } as const;

test("a session hears its reports in order, and nothing after the last", () => {
  begin();
  const call = latestCall();
  for (const report of [PROGRESS, FAILURE, PROGRESS]) control.report(call, report);
  expect(heard).toEqual([PROGRESS, FAILURE]);
});

test("a caller that cancels closes its call once, and hears nothing more; none is closed after its last report", () => {
  const session = begin();
  const call = latestCall();
  session.cancel();
  session.cancel();
  control.report(call, FAILURE);
  const other = begin();
  control.report(latestCall(), FAILURE);
  other.cancel();
  expect(events.map(({ kind }) => kind)).toEqual(["begin", "call-closed", "begin"]);
  expect(heard).toEqual([FAILURE]);
});

test("a question is answered by a report of its kind, or with the refusal", async () => {
  const held = control.activateKey({ keyId: "key-1" });
  const answer = { kind: "key-state", keyId: "key-1", state: "active", epoch: 1 } as const;
  control.report(latestCall(), answer);
  expect(await held).toEqual(ok(answer));
  const refused = control.switchEpoch({ certificate: new Uint8Array(LIFE_BYTES) });
  control.report(latestCall(), { kind: "refusal", problem: problem("EpochCertificateInvalid") });
  expect(await refused).toEqual(fail("EpochCertificateInvalid"));
  const other = control.discardPresignatures({ ids: [] });
  control.report(latestCall(), answer);
  expect(await other).toMatchObject({ ok: false, problem: { code: "Internal" } });
});

test("a signer that stops fails what is open, blames nobody, and takes no more work", async () => {
  begin();
  const asked = control.activateKey({ keyId: "key-1" });
  control.stop();
  expect(heard).toEqual([STOPPED]);
  expect(await asked).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  expect(events.map(({ kind }) => kind)).toEqual(["begin", "activate-key", "call-closed", "call-closed"]);
  begin();
  expect(heard.at(-1)).toMatchObject({ kind: "refusal", problem: { code: "ServiceUnavailable" } });
  expect(events).toHaveLength(4);
});

test("calls that wait for an answer are bounded over all callers", () => {
  for (let count = 0; count < 256; count++) begin();
  expect(heard).toEqual([]);
  begin();
  expect(heard).toMatchObject([{ kind: "refusal", problem: { code: "TooManySessions" } }]);
});
