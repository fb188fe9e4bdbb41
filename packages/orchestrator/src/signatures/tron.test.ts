import { FAMILIES } from "@conclave/chains";
import { TRON_KEY, TRON_NILE, TRON_SENDER, testAccount, tronBytes } from "@conclave/chains/testing";
import {
  type AuthorisedSignature,
  authorisedSignatureSchema,
  networkSchema,
  type SignatureRequest,
  signatureBodySchema,
  signatureIdSchema,
  userIdSchema,
} from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { signatureTask } from "./signature-task.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const network = networkSchema.parse(TRON_NILE.network);
const publicKey = Buffer.from(TRON_KEY.publicKey).toString("hex");
const reading = { families: FAMILIES, networks: [TRON_NILE] };

const authorised = (transaction: string): AuthorisedSignature =>
  authorisedSignatureSchema.parse({
    version: 2,
    kind: "signature",
    requestId: freshId(signatureIdSchema, "sig"),
    orgId: "or-aaaaa-bbbbb-ccccccccccccccc",
    keyId: "key-aaaaa-bbbbb-ccccccccccccccc",
    scheme: "ECDSA",
    content: {
      kind: "readable",
      family: "Tron",
      content: { kind: "transaction", network, transaction: transaction.slice(2) },
    },
    policy: { outcome: "Allowed", policies: [], date: DATE },
    dateRequested: DATE,
    dateAuthorised: DATE,
  });

const taskOf = (transaction: string) => {
  const { requestId: id, orgId, keyId, ...rest } = authorised(transaction);
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
  return signatureTask(
    reading,
    request,
    { payload, signature: new Uint8Array(64) },
    { publicKey, internalKey: undefined },
  );
};

describe("a transaction of TRON that is signed and not sent", () => {
  it("is answered whole, with the signature of its key", () => {
    const task = taskOf(tronBytes());
    if (!task.ok) expect.fail(task.problem.message);
    const { request, finish } = task.value;
    expect([request.isChosen, request.signables.map(({ scheme }) => scheme)]).toEqual([false, ["CGGMP24"]]);
    const signature = TRON_KEY.sign(request.signables[0]?.bytes ?? new Uint8Array());
    const finished = finish([signature]);
    if (!finished.ok) expect.fail("it is signed");
    const family = FAMILIES.familyOf(network);
    const unsigned = Buffer.from(tronBytes().slice(2), "hex");
    const attached = family.attach(unsigned, [signature], [TRON_KEY.publicKey]);
    expect(attached.ok && finished.value.signedData).toBe(
      attached.ok && `0x${Buffer.from(attached.value.signed).toString("hex")}`,
    );
    // clients expect r, s and 27 or 28, as the chain does
    const signed = attached.ok ? attached.value.signed : expect.fail("it is signed");
    expect(finished.value.signature.encoded).toBe(`0x${Buffer.from(signed.slice(-65)).toString("hex")}`);
    expect(family.addressOf(network, TRON_KEY.publicKey)).toBe(TRON_SENDER);
  });

  it("INV-3 is not finished with a signature of another key, nor begun when nobody reads it", () => {
    const task = taskOf(tronBytes());
    if (!task.ok) expect.fail(task.problem.message);
    const { request, finish } = task.value;
    const other = testAccount("0d".repeat(32)).sign(request.signables[0]?.bytes ?? new Uint8Array());
    expect(finish([other]).ok).toBe(false);
    const noted = taskOf(`${tronBytes()}52026869`);
    expect(!noted.ok && noted.problem.code).toBe("TransactionUnreadable");
  });
});
