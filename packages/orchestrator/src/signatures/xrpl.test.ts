import { FAMILIES } from "@conclave/chains";
import {
  testAccount,
  XRPL_EDWARDS_DRAFT,
  XRPL_EDWARDS_KEY,
  XRPL_KEY,
  XRPL_TESTNET,
  xrplBytes,
  xrplBytesWithoutKey,
} from "@conclave/chains/testing";
import {
  type AuthorisedSignature,
  authorisedSignatureSchema,
  networkSchema,
  type SignatureRequest,
  signatureBodySchema,
  signatureIdSchema,
  userIdSchema,
  xrplPublicKey,
} from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { signatureTask } from "./signature-task.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const network = networkSchema.parse(XRPL_TESTNET.network);
const reading = { families: FAMILIES, networks: [XRPL_TESTNET] };
const family = FAMILIES.familyOf(network);

const authorised = (
  scheme: "ECDSA" | "FROST-Ed25519",
  transaction: string,
  key: Uint8Array,
): AuthorisedSignature =>
  authorisedSignatureSchema.parse({
    version: 2,
    kind: "signature",
    requestId: freshId(signatureIdSchema, "sig"),
    orgId: "or-aaaaa-bbbbb-ccccccccccccccc",
    keyId: "key-aaaaa-bbbbb-ccccccccccccccc",
    scheme,
    content: {
      kind: "readable",
      family: "Xrpl",
      content: {
        kind: "transaction",
        network,
        transaction: transaction.slice(2),
        signingPubKey: Buffer.from(xrplPublicKey(key)).toString("hex"),
      },
    },
    policy: { outcome: "Allowed", policies: [], date: DATE },
    dateRequested: DATE,
    dateAuthorised: DATE,
  });

const taskOf = (scheme: "ECDSA" | "FROST-Ed25519", transaction: string, key: Uint8Array) => {
  const { requestId: id, orgId, keyId, ...rest } = authorised(scheme, transaction, key);
  const request: SignatureRequest = {
    id,
    orgId,
    keyId,
    walletId: undefined,
    network,
    requester: { userId: freshId(userIdSchema, "us") },
    requestBody: signatureBodySchema.parse({ kind: "Transaction", transaction }),
    externalId: undefined,
    status: "Executing",
    reason: undefined,
    approvalId: undefined,
    policyDecision: rest.policy,
    authorisation: undefined,
    signature: undefined,
    signedData: undefined,
    dateRequested: DATE,
    datePolicyResolved: DATE,
    dateSigned: undefined,
  };
  const payload = Buffer.from(JSON.stringify({ requestId: id, orgId, keyId, ...rest }));
  const publicKey = Buffer.from(key).toString("hex");
  return signatureTask(
    reading,
    request,
    { payload, signature: new Uint8Array(64) },
    { publicKey, internalKey: undefined },
  );
};

describe("a transaction of the XRP Ledger that is signed and not sent", () => {
  it.each([
    ["ECDSA", "CGGMP24", xrplBytes(), XRPL_KEY],
    ["ECDSA", "CGGMP24", xrplBytesWithoutKey(), XRPL_KEY],
    ["FROST-Ed25519", "FROST-Ed25519", xrplBytes(XRPL_EDWARDS_DRAFT), XRPL_EDWARDS_KEY],
    ["FROST-Ed25519", "FROST-Ed25519", xrplBytesWithoutKey(XRPL_EDWARDS_DRAFT), XRPL_EDWARDS_KEY],
  ] as const)("is answered whole, with the signature of its key: %s", (scheme, signing, transaction, key) => {
    const task = taskOf(scheme, transaction, key.publicKey);
    if (!task.ok) expect.fail(task.problem.message);
    const { request, finish } = task.value;
    expect([request.isChosen, request.signables.map((each) => each.scheme)]).toEqual([false, [signing]]);
    const signature = key.sign(request.signables[0]?.bytes ?? new Uint8Array());
    const finished = finish([signature]);
    const whole = scheme === "ECDSA" ? xrplBytes() : xrplBytes(XRPL_EDWARDS_DRAFT);
    const unsigned = Buffer.from(whole.slice(2), "hex");
    const attached = family.attach(unsigned, [signature], [key.publicKey]);
    if (!finished.ok || !attached.ok) expect.fail("it is signed");
    expect(finished.value.signedData).toBe(`0x${Buffer.from(attached.value.signed).toString("hex")}`);
  });

  it("INV-3 is not finished with a signature of another key, nor begun when nobody reads it", () => {
    const task = taskOf("ECDSA", xrplBytes(), XRPL_KEY.publicKey);
    if (!task.ok) expect.fail(task.problem.message);
    const { request, finish } = task.value;
    const other = testAccount("0d".repeat(32)).sign(request.signables[0]?.bytes ?? new Uint8Array());
    expect(finish([other]).ok).toBe(false);
    const partial = taskOf("ECDSA", xrplBytes({ flags: 0x0002_0000 }), XRPL_KEY.publicKey);
    expect(!partial.ok && partial.problem.code).toBe("TransactionUnreadable");
  });
});
