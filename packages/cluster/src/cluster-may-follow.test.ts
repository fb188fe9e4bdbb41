import type { SignedAuthorisation } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TestCluster } from "./testing/cluster.ts";
import { stockOn } from "./testing/drive.ts";
import {
  authoriseDead,
  authoriseTransaction,
  authoriseTransfer,
  KEY_ID,
  nameOf,
  requestIdOf,
  transactionIdOf,
  transactionOf,
} from "./testing/fixtures.ts";

const QUORUMS = [
  [1, 2],
  [1, 3],
  [2, 3],
] as const;
const THRESHOLD = 2;

/** One line: a transfer, its replacement, the replacement of that, and a second replacement of the transfer. */
const LINE: readonly { readonly id: string; readonly authorisation: SignedAuthorisation }[] = [
  { id: requestIdOf(1), authorisation: authoriseTransfer(1) },
  { id: transactionIdOf(2), authorisation: authoriseTransaction(2, [requestIdOf(1)]) },
  { id: transactionIdOf(3), authorisation: authoriseTransaction(3, [transactionIdOf(2), requestIdOf(1)]) },
  { id: transactionIdOf(4), authorisation: authoriseTransaction(4, [requestIdOf(1)]) },
];

interface Transaction {
  readonly unsigned: Uint8Array;
  readonly name: string;
  /** negative for a chain with validity windows alone */
  readonly nonce: number;
  readonly deadlineMs: number | undefined;
}

/**
 * A chain, and an authority that states the truth about it. Transactions with the same account nonce exclude one
 * another; one without a nonce lands at most once. None lands after its deadline on the chain's clock, which differs
 * from the signers'.
 */
class Chain {
  readonly landed = new Set<string>();
  readonly #nonces = new Map<number, string>();
  readonly #skewMs: number;
  readonly #cluster: TestCluster;

  constructor(cluster: TestCluster, skewMs: number) {
    this.#cluster = cluster;
    this.#skewMs = skewMs;
  }

  /** Whether the transaction can no longer land: once true, always true. */
  isDead({ name, nonce, deadlineMs }: Transaction): boolean {
    if (this.landed.has(name)) return false;
    const isTaken = nonce >= 0 && this.#nonces.has(nonce);
    const isOver = deadlineMs !== undefined && this.#cluster.world.nowMs() + this.#skewMs > deadlineMs;
    return isTaken || isOver;
  }

  land(transaction: Transaction): void {
    if (this.landed.has(transaction.name) || this.isDead(transaction)) return;
    this.landed.add(transaction.name);
    if (transaction.nonce >= 0) this.#nonces.set(transaction.nonce, transaction.name);
  }

  /** Another sender's transaction uses the nonce. */
  takeNonce(nonce: number): void {
    if (!this.#nonces.has(nonce)) this.#nonces.set(nonce, "foreign");
  }
}

const excludeOneAnother = (one: Transaction, other: Transaction): boolean =>
  one.name === other.name || (one.nonce >= 0 && one.nonce === other.nonce);

/** The next act of a lying orchestrator, an operator or the chain. */
type Move =
  | {
      readonly kind: "sign";
      readonly request: number;
      readonly quorum: number;
      readonly transaction: number;
      /** index of a different command for the second signer of the quorum */
      readonly other: number | undefined;
      readonly isPooled: boolean;
      /** a statement that was made for this request, if any */
      readonly statement: { readonly request: number; readonly isFresh: boolean } | undefined;
      /** how long the orchestrator waits before the call, and for the answer */
      readonly afterMs: number;
      readonly waitMs: number;
    }
  | { readonly kind: "restart"; readonly signers: readonly number[] }
  | { readonly kind: "wait"; readonly forMs: number }
  | { readonly kind: "land"; readonly transaction: number }
  | { readonly kind: "foreign"; readonly nonce: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("sign" as const),
      request: fc.nat(LINE.length - 1),
      quorum: fc.nat(QUORUMS.length - 1),
      transaction: fc.nat(50),
      other: fc.option(fc.nat(50), { freq: 6, nil: undefined }),
      isPooled: fc.boolean(),
      statement: fc.option(
        fc.record({ request: fc.nat(LINE.length - 1), isFresh: fc.constantFrom(true, true, true, false) }),
        { freq: 4, nil: undefined },
      ),
      afterMs: fc.constantFrom(0, 0, 0, 80_000, 170_000),
      waitMs: fc.constantFrom(0, 3, 15, 200, 200, 200),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("restart" as const),
      signers: fc.subarray([1, 2, 3], { minLength: 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      forMs: fc.constantFrom(500, 5_000, 85_000, 100_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("land" as const), transaction: fc.nat(50) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("foreign" as const), nonce: fc.constantFrom(7, 8) }),
  },
);

/** The transactions of a run: the nonce of each, and how long after the start it may land. */
const offer = fc.array(
  fc.record({
    nonce: fc.constantFrom(7, 7, 8, -1, -1, -2),
    windowMs: fc.option(fc.constantFrom(5_000, 15_000, 100_000, 500_000), { nil: undefined, freq: 12 }),
  }),
  { minLength: 2, maxLength: 6 },
);

/** Records of signers with two presignatures of each quorum; made once. */
const stocked = (() => {
  const cluster = new TestCluster({ seed: "may follow", size: 3, threshold: THRESHOLD, engine: "tiny" });
  const presignatures = stockOn(cluster, [...QUORUMS, ...QUORUMS]);
  return {
    records: new Map([...cluster.nodes].map(([self, { records }]) => [self, new Map(records)])),
    presignatures: presignatures.map(({ id, signers }) => ({ id, quorum: signers.join() })),
  };
})();

/** One run of a cluster under such moves: collects all signed transactions, and lets them land. */
class Run {
  readonly cluster: TestCluster;
  readonly chain: Chain;
  readonly transactions: readonly Transaction[];
  readonly signed = new Map<string, Transaction>();
  readonly #pool = [...stocked.presignatures];
  #statements: SignedAuthorisation[][] = LINE.map(() => []);
  #heard = 0;
  #sessions = 0;

  constructor(
    skewMs: number,
    offered: readonly { readonly nonce: number; readonly windowMs: number | undefined }[],
  ) {
    const { records } = stocked;
    this.cluster = new TestCluster({ seed: "run", size: 3, threshold: THRESHOLD, engine: "tiny", records });
    this.chain = new Chain(this.cluster, skewMs);
    this.cluster.rest(100); // the signers confirm to each other that their stores are the newest
    const nowMs = this.cluster.world.nowMs();
    this.transactions = offered.map(({ nonce, windowMs }) => {
      const deadlineMs = windowMs === undefined ? undefined : nowMs + windowMs;
      const unsigned = transactionOf(nonce, "1000", deadlineMs);
      return { unsigned, name: nameOf(unsigned), nonce, deadlineMs };
    });
  }

  play(next: Move): void {
    switch (next.kind) {
      case "sign":
        this.#sign(next);
        break;
      case "restart":
        this.cluster.kill(...next.signers);
        this.cluster.restart(...next.signers);
        break;
      case "wait":
        this.#rest(next.forMs);
        break;
      case "land": {
        const candidate = this.#pick(next.transaction);
        if (this.signed.has(candidate.name)) this.chain.land(candidate);
        break;
      }
      case "foreign":
        this.chain.takeNonce(next.nonce);
    }
    this.#look();
  }

  /** Lands each transaction that can still land. */
  end(): void {
    this.#rest(21_000);
    for (const transaction of this.signed.values()) this.chain.land(transaction);
    expect(this.chain.landed.size).toBeLessThanOrEqual(1);
  }

  #rest(forMs: number): void {
    for (let left = forMs; left > 0; left -= 1_000) {
      this.cluster.rest(Math.min(left, 1_000));
      this.#look();
    }
  }

  #pick(at: number): Transaction {
    return this.transactions[at % this.transactions.length] ?? expect.fail("there are transactions");
  }

  /** A statement of the authority: the truth at this moment, or an older statement. */
  #stated({ request, isFresh }: { readonly request: number; readonly isFresh: boolean }) {
    const made = this.#statements[request] ?? [];
    const dead = this.transactions.filter((transaction) => this.chain.isDead(transaction));
    const { id = "" } = LINE[request] ?? {};
    if (isFresh && dead.length > 0) {
      for (const { unsigned } of dead) this.cluster.ledger.bury(unsigned);
      made.push(
        authoriseDead(
          id,
          dead.map(({ unsigned }) => unsigned),
        ),
      );
    }
    return isFresh ? made.at(-1) : made[0];
  }

  #sign(asked: Extract<Move, { readonly kind: "sign" }>): void {
    const { cluster } = this;
    this.#rest(asked.afterMs);
    const quorum = QUORUMS[asked.quorum] ?? QUORUMS[0];
    const request = LINE[asked.request] ?? expect.fail("there are requests");
    const dead = asked.statement === undefined ? undefined : this.#stated(asked.statement);
    const waiting = this.#pool.findIndex((each) => each.quorum === quorum.join());
    const taken = asked.isPooled && waiting >= 0 ? this.#pool.splice(waiting, 1) : [];
    const session = testSessionId(`may follow/${this.#sessions++}`);
    const expiresAtMs = cluster.world.nowMs() + 20_000;
    for (const [at, signer] of quorum.entries()) {
      const shown = at === 1 && asked.other !== undefined ? asked.other : asked.transaction;
      cluster.call(signer, (call) => ({
        kind: "signing",
        call,
        session,
        quorum,
        keyId: KEY_ID,
        authorisation: request.authorisation,
        unsigned: this.#pick(shown).unsigned,
        presignatures: taken.map(({ id }) => id),
        dead,
        expiresAtMs,
      }));
    }
    cluster.rest(asked.waitMs);
  }

  /**
   * Checks transactions that were signed meanwhile (t partial signatures of one session): none of them could land
   * beside an earlier one.
   */
  #look(): void {
    const { partials } = this.cluster.ledger;
    if (partials.length === this.#heard) return;
    this.#heard = partials.length;
    const signers = new Map<string, Set<number>>();
    for (const { session, digest, signer } of partials) {
      const place = `${session}/${digest}`;
      signers.set(place, (signers.get(place) ?? new Set()).add(signer));
    }
    for (const [place, those] of signers) {
      const signed = this.transactions.find(({ name }) => place.endsWith(`/${name}`));
      if (those.size < THRESHOLD || signed === undefined || this.signed.has(signed.name)) continue;
      for (const earlier of this.signed.values()) {
        const couldBothLand =
          !excludeOneAnother(earlier, signed) && !this.chain.isDead(earlier) && !this.chain.isDead(signed);
        if (couldBothLand) throw new Error("INV-4: two transactions of one line could both land");
      }
      this.signed.set(signed.name, signed);
    }
  }
}

test("INV-4 no two transactions of one replacement chain are signed that could both land, whatever is asked of whom and when", () => {
  let followed = 0;
  let signed = 0;
  fc.assert(
    fc.property(
      offer,
      fc.constantFrom(-25_000, 0, 25_000),
      fc.array(move, { minLength: 6, maxLength: 20 }),
      (offered, skewMs, moves) => {
        const run = new Run(skewMs, offered);
        for (const next of moves) run.play(next);
        run.end();
        signed += run.signed.size;
        const kinds = [...run.signed.values()];
        if (kinds.some((one) => kinds.some((other) => !excludeOneAnother(one, other)))) followed++;
      },
    ),
    { numRuns: 80, seed: 4 },
  );
  expect(signed).toBeGreaterThan(50);
  expect(followed).toBeGreaterThan(2); // otherwise the test would not show what may follow a dead transaction
});
