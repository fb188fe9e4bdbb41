import { describe, expect, it } from "vitest";
import type { RowFact } from "../facts/cluster-facts.ts";
import { nonceUses } from "../facts/nonces.ts";
import type { LoadRequest } from "../load/history.ts";
import {
  type Break,
  type BrokenCluster,
  both,
  CONFIRMED,
  contentAs,
  expecting,
  findsEach,
  inChain,
  inDatabase,
  inFacts,
  inHistory,
  inLanded,
  inRequest,
  inRow,
  inSigner,
  judgeBroken,
  spentAt,
  whole,
  withBalance,
} from "./broken-cluster.ts";
import type { Expectations } from "./finding.ts";
import { checkNonces } from "./signers.ts";
import { bytesOf } from "./whole-cluster.ts";

const notAccepted = (requests: readonly LoadRequest[], status: number): LoadRequest => {
  const [first] = requests;
  if (first === undefined) throw new Error("there is one");
  const answer = { kind: "refused", status, words: "", atMs: 1 } as const;
  return { ...first, asked: { ...first.asked, number: 5 }, externalId: "load-1-5", answer, end: undefined };
};

/** Adds a row of the load under another organisation, and a row of that organisation's own. */
const withStrangers = ({ rows }: { readonly rows: readonly RowFact[] }) => ({
  rows: rows.flatMap((row) =>
    row.id === "xfr-4"
      ? [
          { ...row, orgId: "or-other" },
          { ...row, id: "tx-9", orgId: "or-other", walletId: "wa-9" },
        ]
      : [row],
  ),
});

const REQUESTS: readonly BrokenCluster[] = [
  [
    "INV-5 an accepted request without a row",
    inDatabase(({ rows }) => ({ rows: rows.filter(({ id }) => id !== "xfr-4") })),
    [["INV-5", /no row/]],
  ],
  [
    "INV-5 a request that has not ended",
    both(
      inRow("xfr-4", { status: "Executing", reason: "waits for signers" }),
      inRequest(4, { end: undefined }),
    ),
    [
      ["INV-5", /has not ended: Executing, waits for signers/],
      ["INV-5", /shown no end/],
    ],
  ],
  [
    "INV-5 a failure that no plan allows",
    both(
      both(inRow("xfr-4", { status: "Failed", reason: "lost" }), inRequest(4, { end: undefined })),
      inDatabase(({ events }) => ({
        events: events.map((one) =>
          one.resourceId === "xfr-4" ? { ...one, kind: one.kind.replace("rejected", "failed") } : one,
        ),
      })),
    ),
    [
      ["INV-5", /it failed: lost/],
      ["INV-5", /shown no end/],
      ["INV-6", /rejected of xfr-4 .* delivered, and the database does not/],
      ["INV-6", /failed of xfr-4 .* never delivered/],
      ["INV-6", /failed \(evt-xfr-4.* shows Rejected/],
      ["INV-6", /rejected of xfr-4 .* on the bus with other words/],
    ],
  ],
  [
    "INV-5 a rejection that nobody wanted",
    inRow("xfr-4", { reason: "denied by us-somebody" }),
    [
      ["INV-5", /rejected: denied by us-somebody/],
      ["INV-5", /shown denied by us-approver, and the database has denied by us-somebody/],
    ],
  ],
  [
    "INV-5 a caller who was shown another transaction",
    inRequest(1, { end: { status: "Confirmed", reason: undefined, txHash: "hash-2", atMs: 2 } }),
    [["INV-5", /shown hash-2, and the database has hash-1/]],
  ],
  [
    "INV-5 a caller who was shown a confirmation without its transaction",
    inRequest(1, { end: { status: "Confirmed", reason: undefined, txHash: undefined, atMs: 2 } }),
    [["INV-5", /shown no transaction, and the database has hash-1/]],
  ],
  [
    "INV-5 a request whose answer is neither an acceptance nor a refusal",
    inHistory(({ requests }) => ({ requests: [...requests, notAccepted(requests, 204)] })),
    [["INV-5", /request 5 was answered 204/]],
  ],
  [
    "INV-9 a refused request that has a row",
    both(
      inHistory(({ requests }) => ({ requests: [...requests, notAccepted(requests, 409)] })),
      inDatabase(({ rows }) => ({
        rows: [...rows, ...rows.slice(3).map((row) => ({ ...row, id: "xfr-5", externalId: "load-1-5" }))],
      })),
    ),
    [["INV-9", /it was refused, and has a row/]],
  ],
  [
    "INV-4 a row of a wallet that nobody knows",
    inDatabase(({ rows }) => ({
      rows: [...rows, ...rows.slice(3).map((row) => ({ ...row, id: "xfr-5", walletId: "wa-9" }))],
    })),
    [["INV-4", /it is of wa-9, no wallet of the load/]],
  ],
  [
    "INV-11 a row of the load's wallet in another organisation, and none of another's own where one overloads",
    both(inDatabase(withStrangers), expecting({ hasStrangers: true })),
    [["INV-11", /xfr-4 is a request of organisation or-other/]],
  ],
  [
    "INV-4 a row of another organisation's own where none overloads",
    inDatabase(withStrangers),
    [
      ["INV-11", /xfr-4 is a request of organisation or-other/],
      ["INV-4", /it is of wa-9, no wallet of the load/],
    ],
  ],
  [
    "INV-4 a row of another wallet than was asked",
    inRow("xfr-4", { walletId: "wa-1" }),
    [["INV-4", /it was asked of wallet wa-2, and its row is of wa-1/]],
  ],
  [
    "INV-5 a request that is still in the queue",
    inDatabase(() => ({ due: [{ id: "xfr-1", isParked: true, reason: "tried often" }] })),
    [["INV-5", /parked: tried often/]],
  ],
  [
    "INV-5 a request that nobody answered",
    inHistory(({ requests }) => {
      const [first] = requests;
      if (first === undefined) throw new Error("there is one");
      const asked = { ...first.asked, number: 5 };
      return { requests: [...requests, { ...first, asked, externalId: "load-1-5", answer: undefined }] };
    }),
    [["INV-5", /request 5 has no answer/]],
  ],
  [
    "INV-4 a second row for one externalId",
    inDatabase(({ rows }) => ({ rows: [...rows, ...rows.slice(3).map((row) => ({ ...row, id: "xfr-5" }))] })),
    [["INV-4", /load-1-4 has more than one row/]],
  ],
  [
    "INV-4 a row that nobody asked for",
    inDatabase(({ rows }) => ({
      rows: [...rows, ...rows.slice(3).map((row) => ({ ...row, id: "xfr-5", externalId: undefined }))],
    })),
    [["INV-4", /nobody asked for it/]],
  ],
  [
    "INV-5 K8 an answer that comes late beside an organisation that overloads",
    both(
      inRequest(4, { askedAtMs: 1_000, answer: { kind: "accepted", id: "xfr-4", atMs: 31_001 } }),
      expecting({ overloaded: [{ fromMs: 900, untilMs: 1_100 }] }),
    ),
    [["INV-5", /request 4 was answered after 30001 ms, beside an organisation that overloads/]],
  ],
  [
    "INV-9 a 400 for a request that is right",
    inHistory(() => ({ wrongAnswers: [{ call: "POST /x", status: 400, words: "no" }] })),
    [["INV-9", /POST \/x was answered 400: no/]],
  ],
];

const CHAIN: readonly BrokenCluster[] = [
  [
    "INV-4 a confirmed request that is not on the chain",
    inChain(({ landed }) => ({ landed: new Map(landed).set("xfr-3", "not found") })),
    [
      ["INV-4", /chain does not have it: not found/],
      ["INV-4", /wallet wa-2 .* holds/],
    ],
  ],
  [
    "INV-4 two requests that are confirmed by one transaction",
    inRow("xfr-2", { txHash: "hash-1" }),
    [
      ["INV-4", /two requests are confirmed by hash-1/],
      ["INV-4", /nothing that was carried out asked for hash-2/],
      ["INV-5", /shown hash-2, and the database has hash-1/],
      ["INV-6", /shows the transaction hash-2/],
    ],
  ],
  [
    "INV-4 a denied request that has moved something",
    inChain(({ landed }) => {
      const fact = landed.get("xfr-3");
      return fact === undefined ? {} : { landed: new Map(landed).set("xfr-4", fact) };
    }),
    [
      ["INV-4", /it is Rejected, and the chain has/],
      ["INV-2", /1 signatures were made for it, and 0 presignatures are spent/],
      ["INV-8", /no authorisation/],
    ],
  ],
  [
    "INV-4 a receiver that was paid twice",
    withBalance("0x00000000000000000000000000000000000000bb", 6n),
    [["INV-4", /bb on .* holds 6, and 3 was confirmed/]],
  ],
  [
    "INV-4 a wallet that paid somebody else too",
    withBalance("0xFree", 7n),
    [["INV-4", /wallet wa-1 .* holds 7/]],
  ],
  [
    "INV-4 a transaction that nobody asked for",
    inChain(({ sent }) => ({ sent: new Map(sent).set("wa-2", ["hash-3", "hash-8"]) })),
    [
      ["INV-4", /nothing that was carried out asked for hash-8/],
      ["INV-4", /it sent 2, and 1 are carried out/],
    ],
  ],
  [
    "INV-4 a hole among an account's places",
    inRow("xfr-2", { sequence: 2n }),
    [["INV-4", /at 2 is not used once/]],
  ],
  [
    "INV-4 a transaction without its account's place",
    inRow("xfr-2", { sequence: undefined }),
    [["INV-4", /1 have no place on record/]],
  ],
  [
    "INV-4 an account whose first place is unused",
    inRow("xfr-3", { sequence: 1n }),
    [["INV-4", /its first place is 1/]],
  ],
  [
    "INV-3 a transaction that pays somebody else",
    inLanded("xfr-1", { recipient: "0xThief" }),
    [
      ["INV-3", /pays 0xThief instead of/],
      ["INV-8", /does not cover what is on the chain/],
    ],
  ],
  [
    "INV-3 a signature that the chain's library refuses",
    inLanded("xfr-1", { isSigned: false }),
    [["INV-3", /library does not take its signature/]],
  ],
  [
    "INV-3 a transaction of another wallet",
    inLanded("xfr-1", { sender: "0xOther" }),
    [["INV-3", /is of 0xOther/]],
  ],
];

const SIGNERS: readonly BrokenCluster[] = [
  [
    "INV-1 a signer with somebody else's share",
    inSigner(1, ({ shares }) => ({ shares: [...shares, { keyId: "key-1", party: 2 }] })),
    [["INV-1", /signer 1 has the share of key-1 of signer 2/]],
  ],
  [
    "INV-1 shares of two keys",
    inFacts(({ keys }) => ({ keys: keys.map((key) => ({ ...key, isOne: key.keyId !== "key-2" })) })),
    [["INV-1", /shares of key-2 are of two keys/]],
  ],
  [
    "INV-1 a whole key in a log",
    inFacts(() => ({ leaks: [{ secret: "the key key-1", isKey: true, places: ["gateway.log"] }] })),
    [["INV-1", /key-1 stands whole in gateway.log/]],
  ],
  [
    "INV-2 a presignature that two signers spent on two digests",
    inSigner(2, ({ spent }) => ({ spent: [...spent.slice(1), spentAt("presignature-1", "another")] })),
    [["INV-2", /signers 1 and 2 spent presignature presignature-1 on two digests/]],
  ],
  [
    "INV-2 a presignature in a store",
    inSigner(2, () => ({ presignatures: ["presignature-1"] })),
    [["INV-2", /the store of signer 2 has presignature presignature-1/]],
  ],
  [
    "INV-2 a signature with a tombstone at one signer alone",
    both(
      inSigner(2, ({ spent }) => ({ spent: spent.slice(1) })),
      inSigner(3, ({ spent }) => ({ spent: spent.slice(1) })),
    ),
    [["INV-2", /1 signatures were made for it, and 0 presignatures are spent at 2 signers/]],
  ],
  [
    "INV-2 a signature without any tombstone",
    inFacts(({ signers }) => ({ signers: signers.map((one) => ({ ...one, spent: one.spent.slice(1) })) })),
    [["INV-2", /1 signatures were made for it, and 0 presignatures are spent/]],
  ],
  [
    "INV-2 two signatures of one request, each with its tombstone at another signer alone",
    both(
      inRow("xfr-2", { signed: [bytesOf(2), bytesOf(7)] }),
      inSigner(3, ({ spent }) => ({
        spent: [...spent, { ...spentAt("presignature-7", "other"), requestId: "xfr-2" }],
      })),
    ),
    [["INV-2", /2 signatures were made for it, and 1 presignatures are spent/]],
  ],
  [
    "INV-2 a signature of a transaction that is dead, without a tombstone",
    inRow("xfr-4", { signed: [bytesOf(7)] }),
    [
      ["INV-2", /1 signatures were made for it, and 0 presignatures are spent/],
      ["INV-8", /no authorisation is on record/],
    ],
  ],
  [
    "INV-2 a signer that heard that its store is an old copy, where nobody changed it",
    inFacts(() => ({ oldCopies: [{ by: 2, held: 3, signed: 5 }] })),
    [["INV-2", /signer 2 says that its store is an old copy, 3 spent of 5, and nobody changed it/]],
  ],
  [
    "INV-2 a signer with an older copy of its store that nobody told so, and not one that forgot the last alone, or that heard it",
    both(
      both(
        inSigner(1, () => ({ forgotten: ["presignature-8", "presignature-9"] })),
        inSigner(2, () => ({ forgotten: ["presignature-8"] })),
      ),
      both(
        inFacts(({ signers }) => ({
          signers: signers.map((one) => (one.index === 3 ? { ...one, forgotten: ["p-1", "p-2"] } : one)),
          oldCopies: [{ by: 3, held: 3, signed: 5 }],
        })),
        expecting({ changedStores: [1, 2, 3], reportedOldCopies: [1, 2, 3] }),
      ),
    ),
    [["INV-2", /signer 1 has forgotten 2 presignatures .* and does not say that its store is an old copy/]],
  ],
  [
    "INV-5 a signer whose store lacks what it says that it holds",
    inSigner(3, ({ shares }) => ({ shares: shares.slice(1) })),
    [["INV-5", /signer 3 says that it holds key-1, and its store does not/]],
  ],
  [
    "INV-5 a key that no store has",
    inFacts(({ keys }) => ({ keys: keys.slice(1) })),
    [["INV-5", /no store has key-1, the key of wallet wa-1/]],
  ],
  [
    "INV-5 signers that nobody has read",
    both(
      inFacts(() => ({ signers: [] })),
      inFacts(({ keys }) => ({ keys: keys.map((key) => ({ ...key, isEcdsa: false })) })),
    ),
    [["INV-5", /no signer was read/]],
  ],
  [
    "INV-5 a signer that does not answer",
    inSigner(3, () => ({ holdings: undefined })),
    [["INV-5", /signer 3 does not answer/]],
  ],
  [
    "INV-5 a signer that is an epoch behind",
    inSigner(3, ({ holdings }) => ({
      holdings: holdings?.map((key) => (key.keyId === "key-1" ? { ...key, epoch: 2 } : key)),
    })),
    [["INV-5", /hold key-1 differently/]],
  ],
  [
    "INV-5 a signer that lacks a key",
    inSigner(3, ({ holdings }) => ({ holdings: holdings?.slice(1) })),
    [["INV-5", /hold key-1 differently/]],
  ],
  [
    "INV-7 an honest signer on record",
    inDatabase(() => ({ faults: [{ culprit: 2, reporter: 1, check: "Πaff-g" }] })),
    [["INV-7", /signer 1 has signer 2 on record for Πaff-g, and it did not lie/]],
  ],
  [
    "INV-7 a liar that nobody named",
    expecting({ liars: [3], named: [3] }),
    [["INV-7", /signer 3 lied, and is not/]],
  ],
  [
    "INV-10 a secret in a table",
    inFacts(() => ({ leaks: [{ secret: "λ of signer-1", isKey: false, places: ["the table faults"] }] })),
    [["INV-10", /λ of signer-1 stands in the table faults/]],
  ],
];

describe("the checker", () => {
  it("finds nothing where all is well", () => {
    expect(judgeBroken((judged) => judged)).toEqual([]);
  });

  findsEach([...REQUESTS, ...CHAIN, ...SIGNERS]);

  it("INV-5 finds nothing good in a load of which nothing was accepted", () => {
    const nothing = inHistory(() => ({ requests: [] }));
    expect(judgeBroken(nothing).map(({ words }) => words)).toContain(
      "nothing was accepted, so that nothing is shown",
    );
  });

  it("INV-2 finds a nonce that signed two messages, in a dead transaction too", () => {
    const used = inRow("xfr-2", { signed: [bytesOf(2), bytesOf(7, 1)] });
    expect(judgeBroken(used)).toEqual([
      { invariant: "INV-2", words: "one nonce signed it and xfr-1", requestId: "xfr-2" },
      {
        invariant: "INV-2",
        words: "2 signatures were made for it, and 1 presignatures are spent at 2 signers",
        requestId: "xfr-2",
      },
    ]);
  });
});

describe("INV-2 the nonces of a signed transaction", () => {
  const nonce = "ab".repeat(32);
  const ed25519 = `${nonce}${"cd".repeat(32)}`;
  const der = `30440220${"12".repeat(32)}0220${"34".repeat(32)}`;

  it.each([
    ["Algorand", `82a3736967c440${ed25519}a374786e`, [nonce]],
    ["Stellar", `00000002${ed25519}`, [nonce]],
    ["Solana", `01${ed25519}0100`, [nonce]],
    ["Tron", `0a02ffff1241${ed25519}1b`, [nonce]],
    ["XrpLedger", `7321ed7440${ed25519}8114`, [nonce]],
    ["XrpLedger", `7446${der}8114`, ["12".repeat(32)]],
    ["Bitcoin", `0247${der}0121${der}01`, ["12".repeat(32), "12".repeat(32)]],
    ["EthereumSepolia", bytesOf(1), [expect.stringMatching(/^[0-9a-f]{64}$/)]],
  ])("of %s are found", (network, hex, nonces) => {
    expect(nonceUses(network, hex).map((use) => use.nonce)).toEqual(nonces);
  });

  it("report a transaction form that the checker cannot read", () => {
    const unread = inHistory(({ wallets }) => ({
      wallets: wallets.map((wallet) => ({ ...wallet, network: "Bitcoin" })),
    }))(whole);
    expect(checkNonces(unread).map(({ words }) => words)).toContain("nobody can read its signature");
  });
});

describe("the allowance of a plan", () => {
  const failed = both(
    inRow("xfr-4", { status: "Failed", reason: "the node refuses it" }),
    inDatabase(({ events }) => ({ events: events.filter(({ kind }) => !kind.endsWith("rejected")) })),
  );

  it("is a reason with which a request may fail", () => {
    const words = (allowed: Partial<Expectations>) =>
      judgeBroken(both(failed, expecting(allowed))).filter((finding) =>
        finding.words.startsWith("it failed"),
      );
    expect(words({})).toHaveLength(1);
    expect(words({ failures: [/node refuses/] })).toEqual([]);
  });

  it("INV-4 is a transaction that the chain reverted: it used its place, paid its fee and moved nothing", () => {
    const [reason, kind] = ["the chain executed it and reverted it", "wallet.transfer.failed"] as const;
    const content = contentAs(2, "confirmed").replace("Confirmed", "Failed");
    const failing = <E extends { readonly resourceId: string; readonly kind: string }>(event: E): E =>
      event.resourceId === "xfr-2" && event.kind.endsWith("confirmed") ? { ...event, kind, content } : event;
    const reverted = [
      inRow("xfr-2", { status: "Failed", reason }),
      inRequest(2, { end: { status: "Failed", reason, txHash: "hash-2", atMs: 2 } }),
      inDatabase(({ events }) => ({ events: events.map(failing) })),
      inFacts(({ published }) => ({ published: published.map(failing) })),
      inHistory(({ deliveries }) => ({ deliveries: deliveries.map(failing) })),
      inLanded("xfr-2", { amount: 0n }),
      withBalance("0x00000000000000000000000000000000000000AA", 1n),
      expecting({ failures: [/reverted/] }),
    ].reduce(both);
    const withFee = (fees: bigint) =>
      judgeBroken(both(reverted, withBalance("0xFree", 1_000_000n - 1n - fees)));
    expect(withFee(42_000n)).toEqual([]);
    expect(withFee(21_000n).map(({ words }) => words)).toEqual([
      expect.stringMatching(/wallet wa-1 .* holds/),
    ]);
  });

  it("INV-5 is a Stellar payment that another wallet's payment to the same new account made impossible", () => {
    const reason = "the chain executed it and reverted it";
    const onStellar = inHistory(({ requests }) => ({
      requests: requests.map((one) => ({ ...one, asked: { ...one.asked, network: "Stellar", to: "G-NEW" } })),
    }));
    const ends = (...breaks: readonly Break[]) =>
      judgeBroken(
        [
          onStellar,
          inRow("xfr-3", { status: "Failed", reason }),
          inLanded("xfr-3", { amount: 0n }),
          ...breaks,
        ].reduce(both),
      )
        .filter(({ words }) => words.startsWith("it failed"))
        .map(({ requestId }) => requestId);
    const elsewhere = inHistory(({ requests }) => ({
      requests: requests.map((one) =>
        one.asked.number === 3 ? one : { ...one, asked: { ...one.asked, to: "G-OTHER" } },
      ),
    }));
    const byItself = inHistory(({ requests }) => ({
      requests: requests.map((one) => ({ ...one, walletId: "wa-2" })),
    }));
    expect(ends()).toEqual([]);
    expect(ends(inRow("xfr-3", { reason: "lost" }))).toEqual(["xfr-3"]);
    expect(ends(elsewhere)).toEqual(["xfr-3"]);
    // an absent transaction was lost, not reverted
    expect(ends(inChain(({ landed }) => ({ landed: new Map(landed).set("xfr-3", "not found") })))).toEqual([
      "xfr-3",
    ]);
    expect(ends(inLanded("xfr-3", { amount: 3n }))).toEqual(["xfr-3"]);
    expect(ends(byItself)).toEqual(["xfr-3"]);
  });

  it("INV-6 is a second broadcast of what was built again, of another transaction that was signed", () => {
    const broadcast = (...hashes: readonly string[]) =>
      inDatabase(({ events }) => ({
        events: events.flatMap((one) =>
          one.id === "evt-xfr-1-wallet.transfer.broadcasted"
            ? hashes.map((hash) => ({
                ...one,
                id: `${one.id} ${hash}`,
                content: one.content.replace('"hash-1"', `"${hash}"`),
              }))
            : [one],
        ),
      }));
    const lives = (broken: Break) =>
      judgeBroken(broken)
        .filter(({ words }) => /^it is Confirmed, and its events are|^two events tell/.test(words))
        .map(({ words }) => words.split(" ").slice(0, 3).join(" "));
    const rebuilt = inRow("xfr-1", { signed: [bytesOf(1), bytesOf(7)] });
    expect(lives(broadcast("hash-0", "hash-1"))).toEqual(["it is Confirmed,"]);
    expect(lives(both(rebuilt, broadcast("hash-1")))).toEqual([]);
    expect(lives(both(rebuilt, broadcast("hash-0", "hash-1")))).toEqual([]);
    expect(lives(both(rebuilt, broadcast("hash-1", "hash-1")))).toEqual(["two events tell"]);
    expect(lives(both(rebuilt, broadcast("hash-9", "hash-0", "hash-1")))).toEqual(["it is Confirmed,"]);
  });

  it("INV-7 is a liar that is on record", () => {
    const named = inDatabase(() => ({ faults: [{ culprit: 2, reporter: 1, check: "Πaff-g" }] }));
    expect(judgeBroken(both(named, expecting({ liars: [2], named: [2] })))).toEqual([]);
  });

  it("INV-7 is a liar that others caught once, or while the way to the record was disturbed, and nothing else", () => {
    const caught = (count: number) =>
      inFacts(() => ({
        caught: Array.from({ length: count }, (_, at) => {
          return { by: 1, culprit: 2, check: "presign/2 Πaff-g", atMs: 1_000 + at };
        }),
      }));
    const disturbed = (fromMs: number) =>
      expecting({ liars: [2], disturbed: [{ fromMs, untilMs: fromMs + 500 }] });
    expect(judgeBroken(both(caught(1), disturbed(5_000)))).toEqual([]);
    expect(judgeBroken(both(caught(2), disturbed(900)))).toEqual([]);
    expect(judgeBroken(both(caught(2), disturbed(5_000)))).toMatchObject([
      { invariant: "INV-7", words: "signer 2 lied, and is not on record" },
    ]);
    expect(judgeBroken(caught(1))).toMatchObject([
      {
        invariant: "INV-7",
        words: "signer 1 says that signer 2 failed presign/2 Πaff-g, and it did not lie",
      },
    ]);
  });

  it("is a bus that forgot", () => {
    const empty = inFacts(() => ({ published: [] }));
    expect(judgeBroken(empty)).not.toEqual([]);
    const forgotten = (untilMs: number) =>
      judgeBroken(both(empty, expecting({ busLost: [{ fromMs: 0, untilMs }] })));
    expect(forgotten(Date.parse("2026-11-20T00:00:01.000Z"))).toEqual([]);
    // the allowance ends before the event's publication, so the event must be on the bus
    expect(forgotten(Date.parse("2026-11-20T00:00:00.000Z"))).toHaveLength(whole.facts.published.length);
  });

  it("INV-6 is an ending announced again after a reorganisation undid it", () => {
    const again = inFacts(({ database, published }) => {
      const repeat = (events: typeof published) =>
        events.flatMap((one) => (one.id === CONFIRMED ? [one, { ...one, id: "evt-again" }] : [one]));
      return { database: { ...database, events: repeat(database.events) }, published: repeat(published) };
    });
    expect(judgeBroken(again)).not.toEqual([]);
    expect(judgeBroken(both(again, expecting({ reorganised: ["EthereumSepolia"] })))).toEqual([]);
    expect(judgeBroken(both(again, expecting({ reorganised: ["Stellar"] })))).not.toEqual([]);
  });
});
