import { fail, ok, type Result } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import type { Arrival, BroadcastOutcome, ChainNode, Fate, NetworkEntry, Sighting } from "./chain.ts";
import { EVM_FAMILY } from "./evm/family.ts";
import { FAMILIES } from "./registry.ts";
import { withSecondNode } from "./second-node.ts";
import { openHandWorld } from "./testing/conformance/hand-world.ts";
import { openMemoryChain } from "./testing/memory-chain/chain.ts";
import { SEPOLIA } from "./testing/samples.ts";

const ENTRY = EVM_FAMILY.entrySchema.parse({ ...SEPOLIA, rpcUrl: "http://memory.invalid", confirmations: 1 });
type Arrivals = Result<readonly Arrival[] | undefined>;
const AWAY = fail("ServiceUnavailable");
const TOO_LARGE = fail("BlockTooLarge");
const ARRIVAL: Arrival = {
  txHash: "0x07",
  place: "value",
  from: undefined,
  moved: { kind: "Native", to: "0x01", amount: "5" },
};
const UNKNOWN: Sighting = { kind: "unknown" };
const WAITING: Sighting = { kind: "waiting" };
const INCLUDED: Sighting = {
  kind: "included",
  height: 7n,
  blockHash: "0x07",
  isFinal: true,
  fee: 1n,
  succeeded: true,
};
const OPEN: Fate = { kind: "open" };
const DEAD: Fate = { kind: "dead", reason: "its time is over" };
const ACCEPTED: BroadcastOutcome = { kind: "accepted" };
const REFUSED: BroadcastOutcome = { kind: "refused", reason: "not now" };
const UNACCEPTABLE: BroadcastOutcome = { kind: "unacceptable", reason: "never" };

const memory = openMemoryChain({ world: openHandWorld(), chainId: SEPOLIA.chainId }).connect(ENTRY);
const saying = (node: Partial<ChainNode>): ChainNode => ({ ...memory, ...node });
const sighting = (seen: Result<Sighting>) => saying({ sight: async () => seen });
const fate = (said: Result<Fate>) => saying({ fateOf: async () => said });

describe("INV-5 a second node beside the first", () => {
  it.each<[string, Result<Sighting>, Result<Sighting>, Result<Sighting>]>([
    ["knows nothing, and the other one has it in a block", ok(UNKNOWN), ok(INCLUDED), ok(INCLUDED)],
    ["says that it waits, and the other one has it in a block", ok(WAITING), ok(INCLUDED), ok(INCLUDED)],
    ["says that it waits, and the other one knows nothing", ok(WAITING), ok(UNKNOWN), ok(WAITING)],
    ["is away", AWAY, ok(WAITING), ok(WAITING)],
    ["knows nothing, and the other one is away", ok(UNKNOWN), AWAY, ok(UNKNOWN)],
    ["is away like the other one", AWAY, AWAY, AWAY],
  ])("is looked at where the first %s", async (_, first, second, seen) => {
    expect(await withSecondNode(sighting(first), sighting(second)).sight("0x00")).toEqual(seen);
  });

  it("is not asked for what the first has in a block", async () => {
    const second = saying({ sight: () => Promise.reject(new Error("it is asked")) });
    expect(await withSecondNode(sighting(ok(INCLUDED)), second).sight("0x00")).toEqual(ok(INCLUDED));
  });

  it.each<[string, Arrivals, Arrivals, Arrivals, Result<string>?]>([
    ["the first tells", ok([]), ok([ARRIVAL]), ok([])],
    ["the first does not tell", AWAY, ok([ARRIVAL]), ok([ARRIVAL])],
    ["the first has forgotten it", ok(undefined), ok([ARRIVAL]), ok([ARRIVAL])],
    ["it is too large for the first", TOO_LARGE, ok([ARRIVAL]), ok([ARRIVAL])],
    ["both have forgotten it", ok(undefined), ok(undefined), ok(undefined)],
    ["the second is away", TOO_LARGE, AWAY, AWAY],
    ["the second is away, and the first has forgotten it", ok(undefined), AWAY, AWAY],
    ["it is too large for both", TOO_LARGE, TOO_LARGE, TOO_LARGE],
    [
      "the first has forgotten it, and it is too large for the second",
      ok(undefined),
      TOO_LARGE,
      ok(undefined),
    ],
    ["the second is of another chain", AWAY, ok([ARRIVAL]), AWAY, ok("2")],
    ["the second does not tell its chain", ok(undefined), ok([ARRIVAL]), AWAY, AWAY],
  ])("K5 tells what a block brought where %s", async (_, first, second, reported, chain) => {
    const both = withSecondNode(
      saying({ arrivals: async () => first }),
      saying({ arrivals: async () => second, ...(chain && { ofChain: async () => chain }) }),
    );
    expect(await both.arrivals?.(7n, async () => new Set())).toEqual(reported);
  });

  it("K5 is asked for a block's arrivals if the first is rate-limited, even for its chain id", async () => {
    let isResting = false;
    const first = saying({
      ofChain: async () => (isResting ? AWAY : memory.ofChain()),
      arrivals: async () => AWAY,
    });
    const both = withSecondNode(first, saying({ arrivals: async () => ok([ARRIVAL]) }));
    await both.ofChain();
    isResting = true;
    expect(await both.arrivals?.(7n, async () => new Set())).toEqual(ok([ARRIVAL]));
  });

  it.each<[string, Result<Fate>, Result<Fate>, Result<Fate>]>([
    ["both say so", ok(DEAD), ok(DEAD), ok(DEAD)],
    ["and not by the first alone", ok(DEAD), ok(OPEN), ok(OPEN)],
    ["and not while the second is away", ok(DEAD), AWAY, AWAY],
    ["and not by the second alone", ok(OPEN), ok(DEAD), ok(OPEN)],
  ])("INV-4 has a transaction dead where %s", async (_, first, second, said) => {
    expect(await withSecondNode(fate(first), fate(second)).fateOf("0x00", [])).toEqual(said);
  });

  it.each<[string, BroadcastOutcome, BroadcastOutcome, BroadcastOutcome]>([
    ["takes what the first refuses", REFUSED, ACCEPTED, ACCEPTED],
    ["takes what the first refuses for good", UNACCEPTABLE, ACCEPTED, ACCEPTED],
    ["leaves the first its own words", UNACCEPTABLE, REFUSED, UNACCEPTABLE],
  ])("is given the bytes, and %s", async (_, first, second, outcome) => {
    const taken: Uint8Array[] = [];
    const taking = (said: BroadcastOutcome) =>
      saying({
        broadcast: async (signed) => {
          taken.push(signed);
          return said;
        },
      });
    const bytes = Uint8Array.of(2);
    expect(await withSecondNode(taking(first), taking(second)).broadcast(bytes)).toEqual(outcome);
    expect(taken).toEqual([bytes, bytes]);
  });

  it("is not waited for once the first has accepted the bytes, and may fail", async () => {
    const silent = saying({ broadcast: () => new Promise(() => undefined) });
    const failing = saying({ broadcast: () => Promise.reject(new Error("a fault of its client")) });
    const taking = saying({ broadcast: async () => ACCEPTED });
    expect(await withSecondNode(taking, silent).broadcast(Uint8Array.of(2))).toEqual(ACCEPTED);
    expect(await withSecondNode(taking, failing).broadcast(Uint8Array.of(2))).toEqual(ACCEPTED);
    expect(
      await withSecondNode(saying({ broadcast: async () => REFUSED }), failing).broadcast(new Uint8Array(1)),
    ).toEqual(REFUSED);
  });
});

describe("a second node in the networks file", () => {
  const entry = { ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:8545", confirmations: 1 };
  const parse = (second: unknown) => FAMILIES.networksSchema.safeParse([{ ...entry, second }]);
  const secondOf = (entries: readonly NetworkEntry[] | undefined) => entries?.[0]?.second;

  it("has the network's entry with its own fields in place", () => {
    const parsed = parse({ rpcUrl: "http://127.0.0.1:8546" });
    expect(secondOf(parsed.data)).toEqual({ ...entry, rpcUrl: "http://127.0.0.1:8546" });
    expect(parsed.data?.[0]).toMatchObject(entry);
  });

  it.each<[string, unknown, RegExp]>([
    ["of another chain", { rpcUrl: "http://127.0.0.1:8546", chainId: 5 }, /another chain/],
    ["of another network", { network: "Polygon" }, /another network/],
    ["of another family", { family: "Solana" }, /another network/],
    ["with a field that nobody knows", { url: "http://127.0.0.1:8546" }, /url/],
    ["with a second of its own", { second: {} }, /second/],
    ["that is a word", "http://127.0.0.1:8546", /object/],
  ])("is refused: one %s", (_, second, words) => {
    const { error } = parse(second);
    expect(JSON.stringify(error?.issues)).toMatch(words);
    expect(error?.issues[0]?.path.slice(0, 2)).toEqual([0, "second"]);
  });
});
