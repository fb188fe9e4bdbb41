import { problem } from "@conclave/custody";
import { partyIndex } from "@conclave/threshold";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeCertificateAuthority, makeLeaf } from "../certificates/authority.ts";
import { loadTls, makePassphrase, type Role, type TlsIdentity } from "../certificates/loading.ts";
import type { ControlHandlers, DiscardEpochRequest__Output } from "./generated/proto.gen.ts";
import { toStatus } from "./problem-status.ts";
import { CONTROL } from "./proto.ts";
import { type RunningServer, serve } from "./server.ts";
import { SignerClient } from "./signer-client.ts";

const SIGNER = partyIndex(1) ?? expect.fail("a party's index");
const AUTHORISED = {
  payload: Uint8Array.from(Buffer.from('{"kind":"key-discard"}')),
  signature: new Uint8Array(64).fill(9),
};
const WAIVERS = [3, 4, 5].map((signer) => ({ signer, signature: new Uint8Array(64).fill(signer) }));

let server: RunningServer;
let client: SignerClient;
let heard: DiscardEpochRequest__Output[];
/** the signer's answer: its waiver, or the refusal of a signer that keeps the epoch */
let answer: Uint8Array | "kept";

beforeAll(async () => {
  const [now, passphrase] = [new Date(), makePassphrase()];
  const authority = await makeCertificateAuthority("discards", now);
  const member = async (role: Role): Promise<TlsIdentity> => {
    const leaf = await makeLeaf(authority, { role, passphrase, now, days: 1 });
    const tls = loadTls({ ...leaf, authority: authority.certificate }, authority.clusterId, passphrase);
    return tls.ok ? tls.value : expect.fail(tls.problem.message);
  };
  const implementation: Pick<ControlHandlers, "DiscardEpoch"> = {
    DiscardEpoch: ({ request }, reply) => {
      heard.push(request);
      if (answer === "kept") reply(toStatus(problem("EpochReceipted", { subject: "key-1" })));
      else reply(null, { waiver: Buffer.from(answer) });
    },
  };
  const admission = { "conclave.signer.v2.Control": ["orchestrator"] } as const;
  const tls = await member({ kind: "signer", index: SIGNER });
  server = await serve("127.0.0.1:0", tls, admission, [{ definition: CONTROL, implementation }]);
  const address = `127.0.0.1:${server.port}`;
  client = new SignerClient({ index: SIGNER, address }, await member({ kind: "orchestrator" }));
});
afterAll(async () => {
  client?.close();
  await server?.stop(0);
});
beforeEach(() => {
  heard = [];
  answer = new Uint8Array(0);
});

/** Messages hold buffers, and tests compare bytes. */
const asSent = ({ authorisation, waivers }: DiscardEpochRequest__Output) => ({
  authorised: authorisation && {
    payload: new Uint8Array(authorisation.payload),
    signature: new Uint8Array(authorisation.signature),
  },
  waivers: waivers.map(({ signer, signature }) => ({ signer, signature: new Uint8Array(signature) })),
});

test.each([{ waivers: [] }, { waivers: WAIVERS }])(
  "a discard arrives at a signer as it was authorised, with the waivers that were shown: $waivers.length",
  async ({ waivers }) => {
    await client.discardEpoch(AUTHORISED, waivers);
    expect(heard.map(asSent)).toEqual([{ authorised: AUTHORISED, waivers }]);
  },
);

test("a waiver comes back as it was signed; a signer that held the epoch and erased it gives none", async () => {
  answer = new Uint8Array(64).fill(7);
  const waived = await client.discardEpoch(AUTHORISED, []);
  expect(waived.ok && waived.value && new Uint8Array(waived.value)).toEqual(answer);
  answer = new Uint8Array(0);
  expect(await client.discardEpoch(AUTHORISED, WAIVERS)).toEqual({ ok: true, value: undefined });
});

test("the refusal of a signer that keeps the epoch comes back by its name", async () => {
  answer = "kept";
  expect(await client.discardEpoch(AUTHORISED, WAIVERS)).toMatchObject({
    ok: false,
    problem: { code: "EpochReceipted" },
  });
});

test("INV-8 a missing authorisation arrives as none", () => {
  const { requestSerialize, requestDeserialize } = CONTROL.DiscardEpoch;
  expect(requestDeserialize(requestSerialize({ waivers: [] }))).toMatchObject({
    authorisation: null,
    waivers: [],
  });
});
