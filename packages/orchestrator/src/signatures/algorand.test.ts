import { FAMILIES } from "@conclave/chains";
import {
  ALGORAND_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  algorandBytes,
  testEdwardsKey,
} from "@conclave/chains/testing";
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
const network = networkSchema.parse(ALGORAND_TESTNET.network);
const publicKey = Buffer.from(ALGORAND_KEY.publicKey).toString("hex");
const reading = { families: FAMILIES, networks: [ALGORAND_TESTNET] };

const authorised = (transaction: string): AuthorisedSignature =>
  authorisedSignatureSchema.parse({
    version: 2,
    kind: "signature",
    requestId: freshId(signatureIdSchema, "sig"),
    orgId: "or-aaaaa-bbbbb-ccccccccccccccc",
    keyId: "key-aaaaa-bbbbb-ccccccccccccccc",
    scheme: "FROST-Ed25519",
    content: {
      kind: "readable",
      family: "Algorand",
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

describe("a transaction of Algorand that is signed and not sent", () => {
  it("is answered whole, with the signature of its key", () => {
    const task = taskOf(algorandBytes());
    if (!task.ok) expect.fail(task.problem.message);
    const { request, finish } = task.value;
    expect([request.isChosen, request.signables.map(({ scheme }) => scheme)]).toEqual([
      false,
      ["FROST-Ed25519"],
    ]);
    const signature = ALGORAND_KEY.sign(request.signables[0]?.bytes ?? new Uint8Array());
    const finished = finish([signature]);
    if (!finished.ok || signature.scheme === "CGGMP24") expect.fail("it is signed");
    const family = FAMILIES.familyOf(network);
    const unsigned = Buffer.from(algorandBytes().slice(2), "hex");
    const attached = family.attach(unsigned, [signature], [ALGORAND_KEY.publicKey]);
    expect(attached.ok && finished.value.signedData).toBe(
      attached.ok && `0x${Buffer.from(attached.value.signed).toString("hex")}`,
    );
    expect(finished.value.signature.encoded).toBe(`0x${Buffer.from(signature.bytes).toString("hex")}`);
    expect(family.addressOf(network, ALGORAND_KEY.publicKey)).toBe(ALGORAND_SENDER);
  });

  it("INV-3 is not finished with a signature of another key, nor begun when nobody reads it", () => {
    const task = taskOf(algorandBytes());
    if (!task.ok) expect.fail(task.problem.message);
    const { request, finish } = task.value;
    const other = testEdwardsKey("0d".repeat(32)).sign(request.signables[0]?.bytes ?? new Uint8Array());
    expect(finish([other]).ok).toBe(false);
    const noted = taskOf(algorandBytes({ note: Uint8Array.of(1) }));
    expect(!noted.ok && noted.problem.code).toBe("TransactionUnreadable");
  });
});
