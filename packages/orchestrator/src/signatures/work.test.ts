import { generateKeyPairSync, sign as signEd25519, verify as verifyEd25519 } from "node:crypto";
import { FAMILIES, type FamilyRegistry, makeRegistry } from "@conclave/chains";
import type { EvmContent } from "@conclave/chains/evm";
import { EVM_FAMILY } from "@conclave/chains/evm";
import { SEPOLIA, TEST_SECRET_KEY, testAccount } from "@conclave/chains/testing";
import {
  type AuthorisedSignature,
  fail,
  type KeyId,
  type KeyScheme,
  keyIdSchema,
  networkSchema,
  type OrganisationId,
  organisationIdSchema,
  problem,
  type SchemeSignature,
  type Signable,
  type SignatureBody,
  type SignatureContent,
  type SignatureId,
  signatureIdSchema,
  type TypedData,
  userIdSchema,
} from "@conclave/custody";
import {
  changeKey,
  type Database,
  doneSubject,
  freshId,
  insertKey,
  insertOrganisation,
  insertSignature,
  listEvents,
  makeLogger,
  openDatabase,
  readSignature,
} from "@conclave/platform";
import { freshDatabase, orchestratorLogin } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { recoverTransactionAddress } from "viem";
import {
  parseTransaction,
  recoverAddress,
  recoverMessageAddress,
  recoverTypedDataAddress,
  serializeTransaction,
} from "viem/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { SigningPort, SigningRequest } from "../signing-port.ts";
import { noneSigned, signedBy } from "../testing/plain-signers.ts";
import { lookAtSignature, type SignatureHandler } from "./work.ts";

const DATE = new Date().toISOString();
const policy = { outcome: "Allowed" as const, policies: [], date: DATE };
const account = testAccount(TEST_SECRET_KEY);
const edwards = generateKeyPairSync("ed25519");
const HASH = "5a".repeat(32);
const typedData: TypedData = {
  primaryType: "Box",
  types: { Box: [{ name: "it", type: "uint8" }] },
  domain: { name: "d", chainId: 1 },
  message: { it: 7 },
};
const unsigned = serializeTransaction({
  type: "eip1559",
  chainId: SEPOLIA.chainId,
  nonce: 7,
  gas: 21_000n,
  maxFeePerGas: 2n,
  maxPriorityFeePerGas: 1n,
  to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
});
const readable = (content: EvmContent): SignatureContent => ({ kind: "readable", family: "Evm", content });
const sending = (network: string) =>
  readable({ kind: "transaction", network, transaction: unsigned.slice(2) });
const CONTENTS = {
  hash: { kind: "hash", hash: HASH },
  message: readable({ kind: "message", message: "48656c6c6f" }),
  eip712: readable({ kind: "eip712", typedData }),
  transaction: sending(SEPOLIA.network),
} as const satisfies Record<string, SignatureContent>;

const hexSchema = z.templateLiteral(["0x", z.string().regex(/^[0-9a-f]*$/)]);
const type2Schema = z.templateLiteral(["0x02", z.string().regex(/^[0-9a-f]*$/)]);

let database: Database;
let own: Database;
let orgId: OrganisationId;
let keyId: KeyId;
let edwardsId: KeyId;
beforeAll(async () => {
  const url = await freshDatabase();
  database = openDatabase({ url, name: "test" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  orgId = freshId(organisationIdSchema, "or");
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  keyId = await enterKey("ECDSA", account.publicKey);
  const { x = "" } = edwards.publicKey.export({ format: "jwk" });
  edwardsId = await enterKey("FROST-Ed25519", Buffer.from(x, "base64url"));
});
afterAll(async () => {
  await Promise.all([database.close(), own.close()]);
});

const requester = { userId: freshId(userIdSchema, "us") };
const enterKey = async (scheme: KeyScheme, publicKey: Uint8Array): Promise<KeyId> => {
  const id = freshId(keyIdSchema, "key");
  await database.transaction(async (connection) => {
    await insertKey(connection, {
      id,
      orgId,
      name: undefined,
      scheme,
      origin: "generated",
      requester,
      authorisation: { payload: new Uint8Array(1), signature: new Uint8Array(64) },
      isDelegable: false,
      delegatedTo: undefined,
      dateCreated: DATE,
      status: "Creating",
    });
    await changeKey(connection, id, {
      kind: "Activated",
      publicKey: Buffer.from(publicKey).toString("hex"),
      addresses: new Map(),
      date: DATE,
    });
  });
  return id;
};

/** A request as the gateway stores it. */
const accept = async (
  authorised: (id: SignatureId) => unknown,
  change: { readonly keyId?: KeyId; readonly isPending?: boolean } = {},
): Promise<SignatureId> => {
  const id = freshId(signatureIdSchema, "sig");
  const requestBody: SignatureBody = { kind: "Message", message: "00" };
  const payload = new Uint8Array(Buffer.from(JSON.stringify(authorised(id))));
  const isPending = change.isPending ?? false;
  await insertSignature(database, {
    id,
    orgId,
    keyId: change.keyId ?? keyId,
    walletId: undefined,
    network: networkSchema.parse(SEPOLIA.network),
    requester,
    requestBody,
    externalId: undefined,
    status: "Pending",
    reason: undefined,
    approvalId: undefined,
    policyDecision: isPending ? undefined : policy,
    authorisation: isPending ? undefined : { payload, signature: new Uint8Array(64) },
    signature: undefined,
    signedData: undefined,
    dateRequested: DATE,
    datePolicyResolved: undefined,
    dateSigned: undefined,
  });
  return id;
};

const signatureOf =
  (content: SignatureContent) =>
  (requestId: SignatureId): AuthorisedSignature => ({
    version: 2,
    kind: "signature",
    requestId,
    orgId,
    keyId,
    scheme: "ECDSA",
    content,
    policy,
    dateRequested: DATE,
  });

/** Signers with one whole key of each scheme, which sign what the orchestrator read. */
const plainSigners = (change: Partial<SigningPort> = {}): SigningPort => ({
  shortage: () => undefined,
  isBegun: () => false,
  askSigned: noneSigned,
  sign: async ({ signables }) => signedBy(signables.map((signable) => plainSignature(signable))),
  ...change,
});

const plainSignature = ({ scheme, bytes }: Signable, by = account): SchemeSignature =>
  scheme === "CGGMP24"
    ? by.sign(bytes)
    : { scheme, bytes: new Uint8Array(signEd25519(null, bytes, edwards.privateKey)) };

let signals: string[];
beforeEach(() => {
  signals = [];
});
const deliver = (id: string, quorum = plainSigners(), families: FamilyRegistry = FAMILIES) => {
  const handler: SignatureHandler = {
    database: own,
    families,
    networks: [SEPOLIA],
    quorum,
    signal: (subject) => signals.push(subject),
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
  };
  return lookAtSignature(handler)({
    id,
    attempt: 1,
    isHeld: () => true,
    lock: async () => true,
  });
};

const read = async (id: SignatureId) => {
  const request = await readSignature(database, id);
  if (request === undefined) throw new Error("it is gone");
  return request;
};
const kinds = async (id: SignatureId) => (await listEvents(database, id)).map(({ kind }) => kind);

describe("a signature of an ECDSA key", () => {
  const signed = async (content: SignatureContent) => {
    const id = await accept(signatureOf(content));
    expect(await deliver(id)).toEqual({ kind: "Done" });
    const request = await read(id);
    expect([request.status, request.dateSigned, signals]).toEqual([
      "Signed",
      expect.stringMatching(/Z$/),
      [doneSubject(id)],
    ]);
    return {
      signature: hexSchema.parse(request.signature?.encoded),
      signedData: request.signedData,
      request,
    };
  };

  it("over a hash recovers to the key", async () => {
    const { signature } = await signed(CONTENTS.hash);
    expect(await recoverAddress({ hash: `0x${HASH}`, signature })).toBe(account.address);
  });

  it("over a message is what personal_sign makes", async () => {
    const { signature, request } = await signed(CONTENTS.message);
    expect(await recoverMessageAddress({ message: "Hello", signature })).toBe(account.address);
    const { r, s, recid, encoded } = request.signature ?? expect.fail();
    expect(encoded).toBe(`${r}${s.slice(2)}${recid === 0 ? "1b" : "1c"}`);
  });

  it("over typed data recovers to the key", async () => {
    const { signature } = await signed(CONTENTS.eip712);
    expect(
      await recoverTypedDataAddress({ ...typedData, domain: { name: "d", chainId: 1 }, signature }),
    ).toBe(account.address);
  });

  it("over a transaction comes with the whole of it, signed", async () => {
    const { signedData } = await signed(CONTENTS.transaction);
    const serializedTransaction = type2Schema.parse(signedData);
    const { r: _r, s: _s, yParity: _y, v: _v, ...fields } = parseTransaction(serializedTransaction);
    expect(fields).toEqual(parseTransaction(unsigned));
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(account.address);
  });

  it.each(Object.entries(CONTENTS))(
    "P7 asks for no presignature for a hash that somebody chose: %s",
    async (kind, content) => {
      const asked: SigningRequest[] = [];
      const sign: SigningPort["sign"] = async (request, waiting) => {
        asked.push(request);
        return plainSigners().sign(request, waiting);
      };
      await deliver(await accept(signatureOf(content)), plainSigners({ sign }));
      expect(asked.map(({ isChosen }) => isChosen)).toEqual([kind === "hash"]);
    },
  );

  it.each(Object.entries(CONTENTS))(
    "P19 is not stored when it is another key's, or of something else: %s",
    async (_kind, content) => {
      const other = testAccount("09".repeat(32));
      const id = await accept(signatureOf(content));
      const sign: SigningPort["sign"] = async ({ signables, isSigned }) => {
        const digest = signables[0]?.bytes ?? expect.fail("nothing is to be signed");
        const wrong = other.sign(digest);
        const right = account.sign(digest);
        const high = { ...right, s: 2n ** 255n + right.s, recovery: right.recovery === 0 ? 1 : 0 } as const;
        const flipped = { ...right, recovery: right.recovery === 0 ? 1 : 0 } as const;
        const judged = [wrong, high, flipped, right].map((each) => isSigned([each]));
        expect(judged).toEqual([false, false, false, true]);
        expect([isSigned([]), isSigned([right, right])]).toEqual([false, false]);
        return signedBy([wrong]);
      };
      expect(await deliver(id, plainSigners({ sign }))).toMatchObject({ kind: "Again" });
      const { status, signature, signedData } = await read(id);
      expect([status, signature, signedData, signals]).toEqual(["Executing", undefined, undefined, []]);
    },
  );
});

describe("a signature of an Ed25519 key", () => {
  it("is over the very message, in two halves and in one", async () => {
    const authorised = (requestId: SignatureId) => {
      const { scheme: _, content: __, ...fields } = signatureOf(CONTENTS.hash)(requestId);
      return {
        ...fields,
        version: 1,
        kind: "message",
        keyId: edwardsId,
        scheme: "FROST-Ed25519",
        message: "48656c6c6f",
      };
    };
    const id = await accept(authorised, { keyId: edwardsId });
    await deliver(id);
    const { status, signature } = await read(id);
    const encoded = signature?.encoded ?? "";
    expect([status, encoded]).toEqual(["Signed", `${signature?.r}${signature?.s.slice(2)}`]);
    const bytes = Buffer.from(encoded.slice(2), "hex");
    expect(verifyEd25519(null, Buffer.from("Hello"), edwards.publicKey, bytes)).toBe(true);
    expect(signature).not.toHaveProperty("recid");
  });
});

describe("a request for a signature", () => {
  it("INV-5 waits for signers, says so, and goes on when they return", async () => {
    const id = await accept(signatureOf(CONTENTS.message));
    const away = plainSigners({ shortage: () => "waiting for signers: 1 of the 3 needed is live" });
    expect(await deliver(id, away)).toMatchObject({ kind: "Again" });
    expect(await read(id)).toMatchObject({ status: "Executing", reason: expect.stringContaining("waiting") });
    expect(await deliver(id)).toEqual({ kind: "Done" });
    expect(await read(id)).toMatchObject({ status: "Signed", reason: undefined });
  });

  it("INV-5 goes on after its signers died in the middle of it", async () => {
    const id = await accept(signatureOf(CONTENTS.message));
    const sign: SigningPort["sign"] = async (_request, waiting) => {
      waiting("signer-2 does not answer");
      return { kind: "stopped" };
    };
    expect(await deliver(id, plainSigners({ sign }))).toMatchObject({ kind: "Again" });
    expect((await read(id)).reason).toBe("signer-2 does not answer");
    await deliver(id);
    expect((await read(id)).status).toBe("Signed");
  });

  it("INV-6 that is delivered twice at once is signed once on record", async () => {
    const id = await accept(signatureOf(CONTENTS.transaction));
    await Promise.all([deliver(id), deliver(id)]);
    await deliver(id);
    expect(await kinds(id)).toEqual(["wallet.signature.signed"]);
    expect(new Set(signals)).toEqual(new Set([doneSubject(id)]));
  });

  /** Signers during whose signing another process changes the row. */
  const meanwhile = (id: SignatureId, change: string): SigningPort =>
    plainSigners({
      sign: async (request, waiting) => {
        await database.execute(`update signatures set ${change} where id = $1`, [id]);
        return plainSigners().sign(request, waiting);
      },
    });

  it("INV-8 keeps what the authority signed anew while the signers were at work", async () => {
    const id = await accept(signatureOf(CONTENTS.message));
    const renewed = await deliver(id, meanwhile(id, "authorisation = '\\x0505'"));
    expect(renewed).toEqual({ kind: "Done" });
    const { status, authorisation } = await read(id);
    expect([status, authorisation?.payload]).toEqual(["Signed", Buffer.of(5, 5)]);
    expect(await kinds(id)).toEqual(["wallet.signature.signed"]);
  });

  it("INV-6 that was ended while the signers were at work stays ended, and is reported no more", async () => {
    const id = await accept(signatureOf(CONTENTS.message));
    await deliver(id, meanwhile(id, "status = 'Failed', reason = 'too old'"));
    expect(await read(id)).toMatchObject({ status: "Failed", reason: "too old", signature: undefined });
    expect([await kinds(id), signals]).toEqual([[], [doneSubject(id)]]);
  });

  it("fails with the reason when signers refuse it, and wakes those that wait", async () => {
    const id = await accept(signatureOf(CONTENTS.message));
    const refusal = problem("AuthorisationInvalid", {}, "The authorisation is too old.");
    const sign: SigningPort["sign"] = async () => ({ kind: "failed", problem: refusal });
    expect(await deliver(id, plainSigners({ sign }))).toEqual({ kind: "Done" });
    expect(await read(id)).toMatchObject({ status: "Failed", reason: "The authorisation is too old." });
    expect([await kinds(id), signals]).toEqual([["wallet.signature.failed"], [doneSubject(id)]]);
  });

  it.each(["KeyUnknown", "QuorumInvalid", "InvalidBody", "DeadlineTooFar"] as const)(
    "INV-5 waits with the reason while signers refuse with %s, which passes",
    async (code) => {
      const id = await accept(signatureOf(CONTENTS.message));
      const sign: SigningPort["sign"] = async () => ({ kind: "failed", problem: problem(code) });
      expect(await deliver(id, plainSigners({ sign }))).toMatchObject({ kind: "Again" });
      expect(await read(id)).toMatchObject({ status: "Executing", reason: problem(code).message });
      await deliver(id);
      expect((await read(id)).status).toBe("Signed");
    },
  );

  it("fails when it is the key's and still fits nowhere: another one would fit no better", async () => {
    const attach = () => fail("Internal", {}, "It fits nowhere.");
    const id = await accept(signatureOf(CONTENTS.transaction));
    const families = makeRegistry([{ ...EVM_FAMILY, attach }]);
    expect(await deliver(id, plainSigners(), families)).toEqual({ kind: "Done" });
    expect(await read(id)).toMatchObject({ status: "Failed", reason: "It fits nowhere." });
  });

  it("fails when what it is for is not served any more", async () => {
    const id = await accept(signatureOf(sending("Ethereum")));
    expect(await deliver(id)).toEqual({ kind: "Done" });
    expect((await read(id)).status).toBe("Failed");
  });

  it("INV-8 that waits for an approval is left alone", async () => {
    const id = await accept(signatureOf(CONTENTS.message), { isPending: true });
    expect(await deliver(id)).toEqual({ kind: "Done" });
    expect([(await read(id)).status, signals]).toEqual(["Pending", []]);
  });

  it("that is not there is done with", async () => {
    expect(await deliver(freshId(signatureIdSchema, "sig"))).toEqual({ kind: "Done" });
  });
});
