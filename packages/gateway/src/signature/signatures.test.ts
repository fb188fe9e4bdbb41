import { verify } from "node:crypto";
import { buildTransfer } from "@conclave/chains/evm";
import {
  authorisedMessageSchema,
  authorisedSignatureSchema,
  type KeyId,
  type KeyScheme,
  keyIdSchema,
  signatureIdSchema,
} from "@conclave/custody";
import { changeKey, freshId, insertKey, listEvents, readSignature } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, listOf, walletOf } from "../testing/bodies.ts";
import { SIGNATURE } from "../testing/scripted-signatures.ts";
import { ACTIVATED, ADDRESS, PUBLIC_KEY, startWorld, type World } from "../testing/world.ts";

const message = { kind: "Message", message: "0x48656C6c6f" };
const hash = { kind: "Hash", hash: "5a".repeat(32) };
const typed = {
  kind: "Eip712",
  types: { Box: [{ name: "it", type: "uint8" }] },
  domain: { name: "d", verifyingContract: ADDRESS },
  message: { it: 7 },
};
const FEES = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
const unsigned = (chainId = 11_155_111, fees = FEES): string => {
  const transfer = { kind: "Native", to: ADDRESS.toLowerCase(), amount: "5" } as const;
  const bytes = buildTransfer({ chainId, nonce: 7n, fees, gasLimit: 21_000n, transfer });
  return `0x${Buffer.from(bytes).toString("hex")}`;
};
/** [7, 1, 21000, to, 5, nothing]: without a chain id, so valid on any chain once it is signed */
const UNPROTECTED = `0xdc070182520894${ADDRESS.slice(2)}0580`;
const transaction = { kind: "Transaction", transaction: unsigned() };
/** The requested content, and the authority's statement on it. */
const readable = <Content>(content: Content) => ({ kind: "readable", family: "Evm", content }) as const;
const ALL = [
  ["Message", message, readable({ kind: "message", message: "48656c6c6f" })],
  ["Eip191", { ...message, kind: "Eip191" }, readable({ kind: "message", message: "48656c6c6f" })],
  [
    "Eip7702",
    { kind: "Eip7702", address: ADDRESS, nonce: 7, chainId: 1 },
    readable({ kind: "eip7702", address: ADDRESS.toLowerCase(), nonce: 7, chainId: 1 }),
  ],
  ["Hash", hash, { kind: "hash", hash: hash.hash }],
  ["Eip712", typed, readable({ kind: "eip712", typedData: { primaryType: "Box", message: typed.message } })],
  [
    "Transaction",
    transaction,
    readable({ kind: "transaction", network: "EthereumSepolia", transaction: unsigned().slice(2) }),
  ],
] as const;

const signatureOf = (body: unknown) =>
  z.looseObject({ id: z.string(), status: z.string(), keyId: z.string() }).parse(body);

let world: World;
let walletId: string;
let keyId: string;
let ofWallet: string;
let ofKey: string;
let ed25519: KeyId;
beforeAll(async () => {
  world = await startWorld();
  const { body } = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  walletId = walletOf(body).id;
  keyId = z.looseObject({ signingKey: z.object({ id: z.string() }) }).parse(body).signingKey.id;
  ofWallet = `/wallets/${walletId}/signatures`;
  ofKey = `/keys/${keyId}/signatures`;
  ed25519 = await enterKey("FROST-Ed25519");
});
afterAll(() => world.stop());

/** Stores a key of the caller's organisation, as signers would have made it. */
const enterKey = async (scheme: KeyScheme, internalKey?: string): Promise<KeyId> => {
  const id = freshId(keyIdSchema, "key");
  const { orgId, userId } = world.caller;
  const authorisation = { payload: new Uint8Array(1), signature: new Uint8Array(64) };
  const date = new Date().toISOString();
  await world.database.transaction(async (connection) => {
    await insertKey(connection, {
      id,
      orgId,
      name: undefined,
      scheme,
      origin: "generated",
      requester: { userId },
      authorisation,
      isDelegable: false,
      delegatedTo: undefined,
      dateCreated: date,
      status: "Creating",
    });
    const activated = {
      ...ACTIVATED,
      kind: "Activated",
      publicKey: PUBLIC_KEY.slice(2),
      internalKey,
      date,
    } as const;
    await changeKey(connection, id, { ...activated, addresses: new Map() });
  });
  return id;
};

const storedOf = async (body: unknown) => {
  const stored = await readSignature(world.database, signatureIdSchema.parse(signatureOf(body).id));
  if (stored?.authorisation === undefined) throw new Error("the signature is not authorised");
  return { ...stored, authorisation: stored.authorisation };
};

const count = async (): Promise<number> => {
  const [row] = await world.database.rows(
    z.object({ total: z.string() }),
    `select count(*) + (select count(*) from events) + (select count(*) from outbox)
       + (select count(*) from due_requests) as total from signatures`,
  );
  return Number(row?.total);
};

describe("POST /wallets/{walletId}/signatures", () => {
  it("answers what the signers made, with the request as it was sent", async () => {
    const { status, body } = await world.call("POST", ofWallet, { ...message, externalId: "first" });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^sig-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      keyId,
      walletId,
      network: "EthereumSepolia",
      requester: { userId: world.caller.userId, tokenId: world.caller.tokenId },
      requestBody: { ...message, externalId: "first" },
      status: "Signed",
      signature: SIGNATURE,
      signatures: [SIGNATURE],
      externalId: "first",
      dateRequested: expect.stringMatching(/Z$/),
      datePolicyResolved: expect.stringMatching(/Z$/),
      dateSigned: expect.stringMatching(/Z$/),
    });
  });

  it.each(ALL)(
    "INV-3 INV-8 stores the whole of what signers may sign, signed by the authority: %s",
    async (_kind, asked, content) => {
      const { status, body } = await world.call("POST", ofWallet, asked);
      expect(status).toBe(200);
      const { authorisation, id } = await storedOf(body);
      const { payload, signature } = authorisation;
      expect(verify(null, payload, world.authorityKey, signature)).toBe(true);
      const authorised = authorisedSignatureSchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")));
      expect(authorised).toMatchObject({
        requestId: id,
        walletId,
        keyId,
        policy: { outcome: "Allowed" },
        content,
      });
    },
  );

  it("INV-3 INV-8 binds the script tree of a Taproot key in what the authority signs", async () => {
    const taproot = await enterKey("FROST-Taproot", `02${"cd".repeat(32)}`);
    const path = `/keys/${taproot}/signatures`;
    const refused = await world.call("POST", path, hash);
    expect([refused.status, errorOf(refused.body).details.code]).toEqual([400, "InvalidBody"]);
    for (const [taprootMerkleRoot, merkleRoot] of [
      ["", undefined],
      [`0x${"5B".repeat(32)}`, "5b".repeat(32)],
    ] as const) {
      const { body } = await world.call("POST", path, { ...hash, taprootMerkleRoot });
      const { payload } = (await storedOf(body)).authorisation;
      const authorised = authorisedMessageSchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")));
      expect(authorised).toMatchObject({ scheme: "FROST-Taproot", message: hash.hash });
      expect(authorised.merkleRoot).toBe(merkleRoot);
    }
  });

  it("finds the network of a key's transaction among those of the family that the request names", async () => {
    const named = { ...transaction, blockchainKind: "Evm" };
    const { status, body } = await world.call("POST", ofKey, named);
    expect([status, body]).toMatchObject([200, { network: "EthereumSepolia", requestBody: named }]);
    const elsewhere = { kind: "Transaction", transaction: unsigned(1), blockchainKind: "Evm" };
    const unserved = { ...transaction, blockchainKind: "Cardano" };
    for (const refused of [elsewhere, unserved, transaction]) {
      const answer = await world.call("POST", ofKey, refused);
      expect([answer.status, errorOf(answer.body).details.code]).toEqual([400, "InvalidBody"]);
    }
  });

  it("INV-6 records one event a change", async () => {
    const { body } = await world.call("POST", ofWallet, message);
    const events = await listEvents(world.database, signatureOf(body).id);
    expect(events.map(({ kind }) => kind)).toEqual(["wallet.signature.requested", "wallet.signature.signed"]);
    expect(events.at(-1)?.data).toEqual({ signatureRequest: body });
  });

  it("answers the same signature for the same body and externalId, also to requests at the same time", async () => {
    const asked = { ...typed, externalId: "sig-1" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.call("POST", ofWallet, asked)));
    const again = await world.call("POST", ofWallet, asked);
    const all = [...answers, again];
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(all.map(({ body }) => signatureOf(body).id)).size).toBe(1);
    expect(signatureOf(again.body).status).toBe("Signed");
  });

  it("refuses another body under a used externalId, and the same body from the key itself", async () => {
    await world.call("POST", ofWallet, { ...message, externalId: "sig-2" });
    const before = await count();
    const other = await world.call("POST", ofWallet, { ...hash, externalId: "sig-2" });
    const same = await world.call("POST", ofKey, { ...message, externalId: "sig-2" });
    for (const { status, body } of [other, same]) {
      expect([status, errorOf(body).details["code"]]).toEqual([409, "ExternalIdConflict"]);
    }
    expect(await count()).toBe(before);
  });

  it("answers what is so when the signers take too long", async () => {
    world.script(undefined);
    const { status, body } = await world.call("POST", ofWallet, message);
    world.script(ACTIVATED);
    expect([status, signatureOf(body).status]).toEqual([200, "Pending"]);
  });

  const body = (change: object) => ({ ...transaction, ...change });
  it.each([
    ["InvalidBody", 400, {}],
    ["InvalidBody", 400, { kind: "SignDocDirect", signDoc: "00" }],
    ["InvalidBody", 400, { ...hash, hash: "5a".repeat(31) }],
    ["InvalidBody", 400, { ...hash, hash: 5 }],
    ["InvalidBody", 400, { ...hash, taprootMerkleRoot: "" }],
    ["InvalidBody", 400, { ...hash, more: 1 }],
    ["InvalidBody", 400, { ...message, message: "0x1" }],
    ["InvalidBody", 400, { ...message, message: "Hello" }],
    ["InvalidBody", 400, { ...message, externalId: "" }],
    ["InvalidBody", 400, { ...message, externalId: "x".repeat(51) }],
    ["InvalidBody", 400, { ...message, network: "Ethereum" }],
    ["InvalidBody", 400, { ...message, blockchainKind: "Solana" }],
    ["InvalidBody", 400, { ...typed, domain: { chain: 1 } }],
    ["InvalidBody", 400, { ...typed, message: { it: null } }],
    ["InvalidBody", 400, { ...typed, message: "it" }],
    ["InvalidBody", 400, { ...typed, types: { __proto__2: "Box" } }],
    ["TypedDataInvalid", 400, { ...typed, message: {} }],
    ["TypedDataInvalid", 400, { ...typed, message: { it: 256 } }],
    ["TypedDataInvalid", 400, { ...typed, message: { it: 7, hidden: 8 } }],
    ["TypedDataInvalid", 400, { ...typed, types: { ...typed.types, Other: [] } }],
    ["TypedDataInvalid", 400, { ...typed, types: { Box: [{ name: "it", type: "uint7" }] } }],
    ["TransactionUnreadable", 400, body({ transaction: "0x" })],
    ["TransactionUnreadable", 400, body({ transaction: "0x02c0" })],
    ["TransactionUnreadable", 400, body({ transaction: `${unsigned()}00` })],
    ["InvalidBody", 400, body({ transaction: unsigned(1) })],
    ["InvalidBody", 400, body({ transaction: `0x03${unsigned().slice(4)}` })],
    ["InvalidBody", 400, body({ transaction: `0x04${unsigned().slice(4)}` })],
    ["InvalidBody", 400, body({ transaction: UNPROTECTED })],
    ["FeeAboveCap", 422, body({ transaction: unsigned(undefined, { ...FEES, maxFeePerGas: 10n ** 30n }) })],
  ] as const)("INV-9 answers %s with %i and changes nothing for %j", async (code, status, asked) => {
    const before = await count();
    const answer = await world.call("POST", ofWallet, asked);
    expect([answer.status, errorOf(answer.body).details["code"]]).toEqual([status, code]);
    expect(await count()).toBe(before);
  });

  it("INV-9 refuses typed data that are nested without end, and does not follow them", async () => {
    const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const whole = JSON.stringify({ ...typed, message: { it: "HERE" } }).replace('"HERE"', nested);
    const { status, body } = await world.call("POST", ofWallet, whole);
    expect([status, errorOf(body).details["code"]]).toEqual([400, "InvalidBody"]);
  });
});

describe("POST /keys/{keyId}/signatures", () => {
  it("answers a signature of the key alone", async () => {
    const { status, body } = await world.call("POST", ofKey, { ...transaction, network: "EthereumSepolia" });
    expect([status, signatureOf(body).status]).toEqual([200, "Signed"]);
    expect(body).not.toHaveProperty("walletId");
    const { authorisation } = await storedOf(body);
    expect(JSON.parse(Buffer.from(authorisation.payload).toString())).not.toHaveProperty("walletId");
  });

  it.each([
    [message, "48656c6c6f"],
    [hash, hash.hash],
  ])("by an Ed25519 key is authorised as the very message: %j", async (asked, signed) => {
    const { status, body } = await world.call("POST", `/keys/${ed25519}/signatures`, asked);
    expect(status).toBe(200);
    const { authorisation } = await storedOf(body);
    const authorised = authorisedMessageSchema.parse(
      JSON.parse(Buffer.from(authorisation.payload).toString()),
    );
    expect([authorised.scheme, authorised.message]).toEqual(["FROST-Ed25519", signed]);
  });

  it.each([
    ["SignatureKindNotSupported", () => `/keys/${ed25519}/signatures`, typed],
    ["SignatureKindNotSupported", () => `/keys/${ed25519}/signatures`, { ...message, kind: "Eip191" }],
    ["SignatureKindNotSupported", () => ofKey, { ...message, network: "Bitcoin" }],
    ["InvalidBody", () => ofKey, transaction],
    ["NetworkUnknown", () => ofKey, { ...message, network: "Nowhere" }],
    ["InvalidBody", () => ofKey, { ...hash, blockchainKind: "\0" }],
    ["NetworkNotEnabled", () => ofKey, { ...transaction, network: "Ethereum" }],
  ])("INV-9 answers %s for %s with %j", async (code, path, asked) => {
    const { status, body } = await world.call("POST", path(), asked);
    expect([status, errorOf(body).details["code"]]).toEqual([400, code]);
  });
});

describe("signatures that were made", () => {
  it("are listed in pages, newest first: a wallet's own, and all of a key", async () => {
    const own = signatureOf((await world.call("POST", ofWallet, message)).body).id;
    const keys = signatureOf((await world.call("POST", ofKey, message)).body).id;
    const wallets = await world.call("GET", `${ofWallet}?limit=1`);
    expect(wallets.body).toMatchObject({ walletId, keyId, items: [{ id: own }] });
    const { nextPageToken } = listOf(wallets.body);
    const next = await world.call("GET", `${ofWallet}?limit=1&paginationToken=${nextPageToken}`);
    expect(listOf(next.body).items[0]?.id).not.toBe(own);
    const all = await world.call("GET", `${ofKey}?limit=2`);
    expect(all.body).toMatchObject({ keyId, items: [{ id: keys }, { id: own }] });
  });

  it("are read by wallet and by key", async () => {
    const { body } = await world.call("POST", ofWallet, message);
    const { id } = signatureOf(body);
    expect((await world.call("GET", `${ofWallet}/${id}`)).body).toEqual(body);
    expect((await world.call("GET", `${ofKey}/${id}`)).body).toEqual(body);
    const other = await world.call("GET", `/keys/${ed25519}/signatures/${id}`);
    expect([other.status, errorOf(other.body).details["code"]]).toEqual([404, "SignatureNotFound"]);
  });

  it.each([
    ["POST", () => ofWallet],
    ["POST", () => ofKey],
    ["GET", () => ofWallet],
    ["GET", () => ofKey],
  ])("INV-11 are not there for a stranger: %s", async (method, path) => {
    const authorization = `Bearer ${world.strangersToken}`;
    const asked = method === "POST" ? message : undefined;
    const answer = await world.call(method, path(), asked, { authorization });
    const unknown = path().replace(/[a-z0-9]{16}/, "0".repeat(16));
    const missing = await world.call(method, unknown, asked, { authorization });
    expect([answer.status, missing.status]).toEqual([404, 404]);
    expect(errorOf(answer.body).details["code"]).toBe(errorOf(missing.body).details["code"]);
  });

  it.each([
    ["Wallets:GenerateSignature", "Wallets:ReadSignature"],
    ["Keys:Signatures:Create", "Keys:Signatures:Read"],
  ] as const)("take %s to be made and %s to be read, by either's name", async (create, read) => {
    const may = async (operation: typeof create | typeof read) => {
      const { token } = await world.tokenOf([operation]);
      const headers = { authorization: `Bearer ${token}` };
      const made = await world.call("POST", ofWallet, message, headers);
      const listed = await world.call("GET", ofKey, undefined, headers);
      return [made.status, listed.status];
    };
    expect([await may(create), await may(read)]).toEqual([
      [200, 403],
      [403, 200],
    ]);
  });

  it.each([
    ["GET", "/wallets/wa-1/signatures"],
    ["GET", "/keys/wa-00000-00000-0000000000000000/signatures"],
    ["GET", "/keys/key-00000-00000-0000000000000000/signatures/xfr-00000-00000-0000000000000000"],
    ["GET", "/keys/key-00000-00000-0000000000000000/signatures?limit=0"],
  ])("INV-9 are not looked for under what is no id: %s %s", async (method, path) => {
    const { status, body } = await world.call(method, path);
    expect([status, errorOf(body).details["code"]]).toEqual([400, "InvalidParameter"]);
  });
});

describe("INV-8 a signature that policies judge", () => {
  /** Makes a wallet with a key of its own, under one policy that always triggers. */
  const walletUnder = async (action: object): Promise<string> => {
    const wallet = walletOf((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body).id;
    const { status } = await world.call("POST", "/v2/policies", {
      name: "signatures",
      activityKind: "Wallets:Sign",
      rule: { kind: "AlwaysTrigger" },
      action,
      filters: { walletId: { in: [wallet] } },
    });
    expect(status).toBe(200);
    return `/wallets/${wallet}/signatures`;
  };
  const approvers = [{ quorum: 1, approvers: {}, initiatorCanApprove: true }];
  const asking = { kind: "RequestApproval", approvalGroups: approvers };
  const pendingSchema = z.looseObject({
    id: z.string(),
    status: z.literal("Pending"),
    approvalId: z.string(),
  });
  const decide = async (approvalId: string, value: string) => {
    const path = `/v2/policy-approvals/${approvalId}/decisions`;
    const { status } = await world.call("POST", path, { value, reason: "because" });
    expect(status).toBe(200);
  };

  it("is rejected at once where it is blocked, and nobody signs anything", async () => {
    const path = await walletUnder({ kind: "Block" });
    const { status, body } = await world.call("POST", path, hash);
    expect([status, body]).toMatchObject([200, { status: "Rejected", reason: expect.any(String) }]);
    const { id } = signatureOf(body);
    const stored = await readSignature(world.database, signatureIdSchema.parse(id));
    expect(stored?.authorisation).toBeUndefined();
    const events = await listEvents(world.database, id);
    expect(events.map(({ kind }) => kind).sort()).toEqual([
      "wallet.signature.rejected",
      "wallet.signature.requested",
    ]);
  });

  it("waits for an approval without an authorisation, and is signed when it came", async () => {
    const path = await walletUnder(asking);
    const pending = pendingSchema.parse((await world.call("POST", path, typed)).body);
    const id = signatureIdSchema.parse(pending.id);
    expect((await readSignature(world.database, id))?.authorisation).toBeUndefined();
    await decide(pending.approvalId, "Approved");
    const stored = await storedOf(pending);
    const authorised = authorisedSignatureSchema.parse(
      JSON.parse(Buffer.from(stored.authorisation.payload).toString()),
    );
    expect(authorised).toMatchObject({
      requestId: id,
      content: { kind: "readable", family: "Evm", content: { kind: "eip712" } },
      policy: { outcome: "Allowed" },
    });
    const read = async () => signatureOf((await world.call("GET", `${path}/${id}`)).body).status;
    await expect.poll(read).toBe("Signed");
  });

  it("ends when people refuse it", async () => {
    const path = await walletUnder(asking);
    const { id, approvalId } = pendingSchema.parse((await world.call("POST", path, message)).body);
    await decide(approvalId, "Denied");
    expect((await world.call("GET", `${path}/${id}`)).body).toMatchObject({ status: "Rejected" });
    const events = await listEvents(world.database, id);
    expect(events.at(-1)?.kind).toBe("wallet.signature.rejected");
  });
});
