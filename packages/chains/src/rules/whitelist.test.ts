import {
  type AddressSpelling,
  evaluatePolicies,
  keyIdSchema,
  moves,
  NATIVE_ASSET,
  networkSchema,
  organisationIdSchema,
  type Policy,
  policyIdSchema,
  type SigningActivity,
  walletIdSchema,
  whitelistSteps,
} from "@conclave/custody";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { base58xrp, bech32, bech32m, createBase58check } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBitcoinAddress } from "../bitcoin/rules/address.ts";
import { FAMILIES } from "../registry.ts";
import { xrplAddressOf } from "../xrpl/rules/address.ts";

const id = (prefix: string, letter: string) => `${prefix}-aaaaa-bbbbb-${letter.repeat(16)}`;
const BITCOIN = FAMILIES.familyOf("Bitcoin");
const XRPL = FAMILIES.familyOf("XrpLedger");
const NOW = "2026-01-01T00:00:00.000Z";
const MOST = 10_000;

const activityOf = (recipients: readonly string[], spelling: AddressSpelling): SigningActivity => ({
  kind: "Wallets:Sign",
  keyId: keyIdSchema.parse(id("key", "k")),
  wallets: [{ id: walletIdSchema.parse(id("wa", "w")), tags: [] }],
  effects: moves(...recipients.map((recipient) => ({ asset: NATIVE_ASSET, amount: "1", recipient }))),
  spell: spelling.spell,
  addressKeys: spelling.addressKeys,
});

const whitelist = (addresses: readonly string[]): Policy => ({
  id: policyIdSchema.parse(id("plc", "p")),
  orgId: organisationIdSchema.parse(id("or", "o")),
  status: "Active",
  body: {
    name: "whitelist",
    activityKind: "Wallets:Sign",
    rule: { kind: "TransactionRecipientWhitelist", configuration: { addresses: [...addresses] } },
    action: { kind: "Block" },
  },
  dateCreated: NOW,
  dateUpdated: NOW,
});

const reasonOf = (addresses: readonly string[], activity: SigningActivity): string | undefined =>
  evaluatePolicies([whitelist(addresses)], activity).evaluations[0]?.reason;

/** The rule's definition: canonicalise the whole list, then look up the recipients. */
const plainReason = (
  addresses: readonly string[],
  recipients: readonly string[],
  spell: AddressSpelling["spell"],
): string => {
  const listed = new Set(addresses.map(spell));
  const stranger = recipients.find((recipient) => !listed.has(spell(recipient)));
  if (stranger !== undefined) return `the recipient ${stranger} is not on the whitelist`;
  return recipients.length === 0 ? "nothing leaves the wallet" : "every recipient is on the whitelist";
};

/** Canonicalises by parsing every text, even those that cannot be addresses. */
const spellBitcoinWholly = (text: string): string => {
  for (const network of ["Bitcoin", "BitcoinSignet"]) {
    const parsed = parseBitcoinAddress(networkSchema.parse(network), text, "to");
    if (parsed.ok) return parsed.value;
  }
  return text;
};

/**
 * An account whose X-addresses with and without a tag differ early: between the two, a carry changes a character near the
 * front. An X-address is the number (prefix · 2^160 + account) · 2^104 + tail in base 58; its tail is below 2^32 without a tag,
 * and above 2^96 with one.
 */
const accountAtCarry = (): Uint8Array => {
  const [unit, tail] = [58n ** 19n, 2n ** 104n];
  let edge = ((0x0544n << 160n) * tail) / unit;
  do edge += 1n;
  while ((edge * unit) % tail < 2n ** 33n || (edge * unit) % tail > 2n ** 96n);
  const digits = ((edge * unit) / tail).toString(16).slice(-40);
  return Uint8Array.from(Buffer.from(digits, "hex"));
};

/** Accounts with extreme bytes, with which a carry goes furthest; nobody owns the accounts zero and one. */
const ACCOUNTS = [
  accountAtCarry(),
  new Uint8Array(20),
  Uint8Array.from({ length: 20 }, (_, at) => (at === 19 ? 1 : 0)),
  new Uint8Array(20).fill(0xff),
  Uint8Array.from({ length: 20 }, (_, at) => (at === 19 ? 2 : 0)),
  Uint8Array.from({ length: 20 }, (_, at) => 7 * at + 3),
  Uint8Array.from({ length: 20 }, (_, at) => (at < 10 ? 0x58 : 0xff)),
];
const account = fc.oneof(fc.constantFrom(...ACCOUNTS), fc.uint8Array({ minLength: 20, maxLength: 20 }));

const xAddress = (
  of: Uint8Array,
  { isMain, flags, tag, slip }: { isMain: boolean; flags: number; tag: number; slip: number },
): string => {
  const tagBytes = new Uint8Array(8);
  new DataView(tagBytes.buffer).setUint32(0, tag, true);
  const prefix = isMain ? [0x05, 0x44] : [0x04, 0x93];
  const body = concatBytes(Uint8Array.from(prefix), of, Uint8Array.of(flags), tagBytes);
  const checksum = sha256(sha256(body)).slice(0, 4);
  checksum.set([(checksum[0] ?? 0) ^ slip]);
  return base58xrp.encode(concatBytes(body, checksum));
};

const inForms = fc.record({
  isMain: fc.boolean(),
  flags: fc.constantFrom(0, 1, 1, 2, 255),
  tag: fc.constantFrom(0, 0, 1, 14, 0xffff_ffff),
  slip: fc.constantFrom(0, 0, 0, 1),
});

const base58check = createBase58check(sha256);

/** Texts that people and programs write for an address: unchanged, in another case, with a typing error, with added text. */
const writtenLike = (address: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constant(address), weight: 4 },
    fc.constant(address.toUpperCase()),
    fc.constant(address.toLowerCase()),
    fc.nat(address.length - 1).map((at) => {
      const letter = address.charAt(at);
      const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
      return address.slice(0, at) + other + address.slice(at + 1);
    }),
    fc.nat(address.length - 1).map((at) => `${address.slice(0, at)}q${address.slice(at + 1)}`),
    fc.constantFrom(` ${address}`, `${address} `, address.slice(1), address.slice(0, -1), `${address}\n`),
  );

const bitcoinTexts = account.chain((hash) => {
  const words = bech32.toWords(hash);
  return fc
    .constantFrom(
      bech32.encode("bc", [0, ...words]),
      bech32.encode("tb", [0, ...words]),
      bech32m.encode("bc", [1, ...bech32.toWords(concatBytes(hash, hash.slice(0, 12)))]),
      bech32m.encode("bc", [0, ...words]),
      bech32.encode("bcrt", [0, ...words]),
      base58check.encode(concatBytes(Uint8Array.of(0), hash)),
      base58check.encode(concatBytes(Uint8Array.of(5), hash)),
      base58check.encode(concatBytes(Uint8Array.of(0x6f), hash)),
    )
    .chain(writtenLike);
});

const xrplTexts = account.chain((of) =>
  fc.oneof(
    fc.constant(xrplAddressOf(of)),
    inForms.map((form) => xAddress(of, form)),
    fc.constant(xrplAddressOf(of)).chain(writtenLike),
    inForms.map((form) => xAddress(of, form)).chain(writtenLike),
  ),
);

const plainTexts = account.chain((bytes) =>
  fc
    .constantFrom(`0x${Buffer.from(bytes).toString("hex")}`, base58check.encode(bytes), "")
    .chain((text) => (text === "" ? fc.string() : writtenLike(text))),
);

describe("K8 a whitelist", () => {
  it.each<[string, AddressSpelling["spell"], fc.Arbitrary<string>]>([
    ["Ethereum", FAMILIES.familyOf("Ethereum").spell, plainTexts],
    ["Solana", FAMILIES.familyOf("Solana").spell, plainTexts],
    ["Stellar", FAMILIES.familyOf("Stellar").spell, plainTexts],
    ["Tron", FAMILIES.familyOf("Tron").spell, plainTexts],
    ["Algorand", FAMILIES.familyOf("Algorand").spell, plainTexts],
    ["Bitcoin", spellBitcoinWholly, bitcoinTexts],
    ["XrpLedger", XRPL.spell, xrplTexts],
  ])("of %s passes whom it would pass if each of its entries were spelled", (network, spell, texts) => {
    const family = FAMILIES.familyOf(network);
    const some = fc.array(texts, { maxLength: 6 });
    fc.assert(
      fc.property(some, some, fc.array(fc.nat(5), { maxLength: 3 }), (listed, strangers, picks) => {
        const among = picks.flatMap((at) => listed[at] ?? []);
        for (const recipients of [among, [...among, ...strangers], listed.map(spell)]) {
          const reason = reasonOf([...listed, ...listed], activityOf(recipients, family));
          expect(reason).toBe(plainReason(listed, recipients, spell));
        }
      }),
      { numRuns: 400 },
    );
  });

  it("knows an account of the XRP Ledger by every text that names it", () => {
    fc.assert(
      fc.property(account, fc.boolean(), fc.nat(0xffff_ffff), (of, isMain, tag) => {
        const [with_, without] = [1, 0].map((flags) =>
          xAddress(of, { isMain, flags, tag: flags * tag, slip: 0 }),
        );
        const address = XRPL.spell(with_ ?? "");
        for (const listed of [with_, without]) {
          expect(reasonOf([listed ?? ""], activityOf([address], XRPL))).toBe(
            address.startsWith("r") || address === listed
              ? "every recipient is on the whitelist"
              : `the recipient ${address} is not on the whitelist`,
          );
        }
      }),
    );
  });

  const counting = ({ spell, addressKeys }: AddressSpelling) => {
    let count = 0;
    const counted: AddressSpelling = {
      spell: (text) => {
        count += 1;
        return spell(text);
      },
      addressKeys,
    };
    return { counted, spelled: () => count };
  };
  const accountAt = (at: number): Uint8Array =>
    Uint8Array.from({ length: 20 }, (_, place) => (at >> (8 * (place % 4))) & 0xff);
  const upperSegwit = (at: number) =>
    bech32.encode("bc", [0, ...bech32.toWords(accountAt(at))]).toUpperCase();
  const tagged = (at: number) => xAddress(accountAt(at), { isMain: true, flags: 1, tag: at, slip: 0 });

  it.each<[string, AddressSpelling, (at: number) => string]>([
    ["Bitcoin addresses in upper case", BITCOIN, upperSegwit],
    ["XRP Ledger addresses with tags inside", XRPL, tagged],
  ])("of 10000 %s spells none but those that may be the recipient", (_, family, address) => {
    const addresses = Array.from({ length: MOST }, (__, at) => address(at + 2));
    const { counted, spelled } = counting(family);
    for (const at of [2, MOST + 1, MOST + 2]) {
      const recipient = family.spell(address(at));
      const reason = reasonOf(addresses, activityOf([recipient], counted));
      expect(reason).toMatch(at < MOST + 2 ? /every recipient/ : /is not on the whitelist/);
    }
    expect(spelled()).toBeLessThan(8);
  });

  it("of 10000 texts that look like the recipient is read in steps, and once", () => {
    const of = new Uint8Array(20).fill(7);
    const addresses = Array.from({ length: MOST }, (_, at) =>
      xAddress(of, { isMain: true, flags: 1, tag: at, slip: 1 }),
    );
    const { counted, spelled } = counting(XRPL);
    const policies = [whitelist(addresses)];
    const activity = activityOf([xrplAddressOf(of)], counted);
    let [stepped, ahead] = [0, 0];
    for (const weight of whitelistSteps(policies, activity)) {
      stepped += weight;
      ahead = Math.max(ahead, spelled() - stepped);
    }
    // the recipient is spelled too
    expect([spelled(), ahead <= 1, stepped >= MOST * (1 + 1 / 33)]).toEqual([MOST + 1, true, true]);
    expect([...whitelistSteps(policies, activity)]).toEqual([]);
    expect(evaluatePolicies(policies, activity).evaluations[0]?.triggered).toBe(true);
    expect(spelled()).toBe(MOST + 1);
  });

  it("is spelled once by two requests that read it at once", () => {
    const of = new Uint8Array(20).fill(7);
    const addresses = Array.from({ length: 500 }, (_, at) =>
      xAddress(of, { isMain: true, flags: 1, tag: at, slip: 1 }),
    );
    const { counted, spelled } = counting(XRPL);
    const policies = [whitelist(addresses)];
    const both = [1, 2].map(() => whitelistSteps(policies, activityOf([xrplAddressOf(of)], counted)));
    while (both.map((steps) => steps.next().done).includes(false));
    expect(spelled()).toBe(500 + both.length);
  });

  it("spells a recipient once, however many policies there are and however often it is paid", () => {
    const recipient = upperSegwit(5).toLowerCase();
    const { counted, spelled } = counting(BITCOIN);
    const activity = activityOf(Array(3_000).fill(recipient), counted);
    const policies = Array.from({ length: 500 }, () => whitelist([recipient]));
    expect(evaluatePolicies(policies, activity).kind).toBe("Allowed");
    // one entry of each list, and one spelling for each of the 3000 payments
    expect(spelled()).toBeLessThanOrEqual(3_500);
  });

  it("that does not apply costs no work", () => {
    const activity = activityOf(["r"], XRPL);
    const other = whitelist(Array.from({ length: MOST }, (_, at) => tagged(at)));
    if (other.body.activityKind !== "Wallets:Sign") expect.fail("it is one on transactions");
    const filtered: Policy = {
      ...other,
      body: { ...other.body, filters: { walletTags: { hasAny: ["cold"] } } },
    };
    expect([...whitelistSteps([filtered, { ...other, status: "Archived" }], activity)]).toEqual([]);
    expect([...whitelistSteps([other], activity)].length).toBeGreaterThan(0);
  });
});
