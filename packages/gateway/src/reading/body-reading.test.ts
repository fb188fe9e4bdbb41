import { FAMILIES } from "@conclave/chains";
import { SEPOLIA } from "@conclave/chains/testing";
import {
  type Act,
  fail,
  keyIdSchema,
  networkSchema,
  ok,
  organisationIdSchema,
  type SignatureBody,
  signatureBodySchema,
  transactionBodySchema,
  transactionIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { FairTurns, freshId, processWorld } from "@conclave/platform";
import { describe, expect, test } from "vitest";
import { ADMISSION_LIMITS } from "../admission/limits.ts";
import { type BodyReader, bodyReader } from "./body-reader.ts";
import { type LaterReader, readingHere, shareReading } from "./body-reading.ts";
import type { ReadableSubject, ReadableWallet } from "./readable.ts";

const SUBJECT: ReadableSubject = {
  scheme: "ECDSA",
  network: undefined,
  publicKey: `02${"ab".repeat(32)}`,
  internalKey: undefined,
};
const READER = bodyReader({ families: FAMILIES, chains: new Map() });
const messageOf = (bytes: number): SignatureBody =>
  signatureBodySchema.parse({ kind: "Message", message: `0x${"ab".repeat(bytes)}` });
const organisation = () => freshId(organisationIdSchema, "or");

const WALLET: ReadableWallet = {
  network: networkSchema.parse(SEPOLIA.network),
  address: `0x${"12".repeat(20)}`,
  publicKey: SUBJECT.publicKey,
};
const TRANSACTION = transactionBodySchema.parse({ kind: "Evm", to: WALLET.address, value: "5" });
const actAt = (dateRequested: string): Act => {
  const content = READER.transaction(WALLET, TRANSACTION);
  if (!content.ok) throw new Error(content.problem.message);
  return {
    version: 2,
    kind: "transaction",
    requestId: freshId(transactionIdSchema, "tx"),
    orgId: organisation(),
    walletId: freshId(walletIdSchema, "wa"),
    keyId: freshId(keyIdSchema, "key"),
    cosigners: [],
    network: WALLET.network,
    dateRequested,
    transaction: content.value,
  };
};

/** A reader that records its calls, and returns made-up results. */
const notingReader = (asked: string[]): BodyReader => {
  const note = <Read>(name: keyof BodyReader, read: Read): Read => {
    asked.push(name);
    return read;
  };
  const unknown = fail("NetworkUnknown");
  return {
    signature: () => note("signature", unknown),
    networkOf: () => note("networkOf", ok(undefined)),
    transaction: () => note("transaction", unknown),
    act: () => note("act", unknown),
  };
};

/** Arguments whose JSON has this many characters; one of them is a text of any length. */
const ofLength = <Asked>(length: number, make: (text: string) => Asked): Asked =>
  make("a".repeat(length - JSON.stringify(make("")).length));

/** A reader that answers its calls one after the other, as the test allows. */
const heldReader = () => {
  const asked: SignatureBody[] = [];
  const lets: (() => void)[] = [];
  const here = readingHere(READER);
  const reader: LaterReader = {
    ...here,
    signature: async (subject, body, networks) => {
      asked.push(body);
      await new Promise<void>((resolve) => lets.push(resolve));
      return here.signature(subject, body, networks);
    },
  };
  return { reader, asked, letOne: () => lets.shift()?.() };
};

const share = (elsewhere: LaterReader) =>
  shareReading(READER, elsewhere, new FairTurns(processWorld, ADMISSION_LIMITS.reading));

describe("reading of bodies", () => {
  test("is done at once for a short body, and elsewhere for a long one", async () => {
    const { reader, asked, letOne } = heldReader();
    const reading = share(reader).onBehalfOf(organisation());
    expect(await reading.signature(SUBJECT, messageOf(32), [])).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    const long = reading.signature(SUBJECT, messageOf(2_000), []);
    await expect.poll(() => asked.length).toBe(1);
    letOne();
    expect(await long).toEqual(READER.signature(SUBJECT, messageOf(2_000), []));
  });

  test("K8 is done elsewhere from 1537 characters on, whatever of it is asked", async () => {
    const [here, elsewhere]: [string[], string[]] = [[], []];
    const turns = new FairTurns(processWorld, ADMISSION_LIMITS.reading);
    const shared = shareReading(notingReader(here), readingHere(notingReader(elsewhere)), turns);
    const reading = shared.onBehalfOf(organisation());
    for (const length of [1_536, 1_537]) {
      const key = (publicKey: string) => ({ ...SUBJECT, publicKey, internalKey: undefined });
      await reading.signature(...ofLength(length, (text) => [key(text), messageOf(1), []] as const));
      await reading.networkOf(...ofLength(length, (text) => [key(text), messageOf(1)] as const));
      const payer = (address: string) => ({ ...WALLET, address });
      await reading.transaction(...ofLength(length, (text) => [payer(text), TRANSACTION] as const));
      await reading.act(...ofLength(length, (text) => [actAt(text)] as const));
    }
    const each = ["signature", "networkOf", "transaction", "act"];
    expect([here, elsewhere]).toEqual([each, each]);
  });

  test("of one organisation's many long bodies leaves the next turn to another's", async () => {
    const { reader, asked, letOne } = heldReader();
    const shared = share(reader);
    const [many, other] = [organisation(), organisation()];
    const answers = [2_000, 2_001, 2_002].map((bytes) =>
      shared.onBehalfOf(many).signature(SUBJECT, messageOf(bytes), []),
    );
    const theirs = shared.onBehalfOf(other).signature(SUBJECT, messageOf(3_000), []);
    await expect.poll(() => asked.length).toBe(1);
    for (const at of [2, 3, 4]) {
      letOne();
      await expect.poll(() => asked.length).toBe(at);
    }
    letOne();
    await Promise.all([...answers, theirs]);
    expect(asked).toEqual([2_000, 2_001, 3_000, 2_002].map(messageOf));
  });

  test("without a turn waits behind no line of any organisation", async () => {
    const { reader, asked, letOne } = heldReader();
    const shared = share(reader);
    const many = organisation();
    const answers = [2_000, 2_001].map((bytes) =>
      shared.onBehalfOf(many).signature(SUBJECT, messageOf(bytes), []),
    );
    const released = shared.withoutTurn.signature(SUBJECT, messageOf(3_000), []);
    await expect.poll(() => asked.length).toBe(2);
    expect(asked).toEqual(expect.arrayContaining([2_000, 3_000].map(messageOf)));
    letOne();
    letOne();
    await released;
    await expect.poll(() => asked.length).toBe(3);
    letOne();
    await Promise.all(answers);
  });
});
