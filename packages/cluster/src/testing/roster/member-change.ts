import type { SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { KeyChange } from "../../control/command.ts";
import { certify } from "../../control/epoch-certificate.ts";
import { type EpochHandover, readHandover } from "../../control/epoch-handover.ts";
import type { SessionReport } from "../../control/report.ts";
import { keyHolders } from "../../control/roster-member.ts";
import type { SigningResult } from "../../coordinator/effect.ts";
import { CLOCK_SKEW_MS_MAX } from "../../signer/limits.ts";
import { type SignerSummary, signerStatus } from "../../signer/signer.ts";
import { type Outcome, TestCluster } from "../cluster.ts";
import { heldEpochsOf } from "../drive-key-change.ts";
import { authoriseTransaction, KEY_ID, provisionedRecords, type Records } from "../fixtures.ts";
import { moveKeyOn, type RosterShape, renewAuxiliaryOn, rosterAt, takeRoster } from "./changed-roster.ts";
import { askedAt, signAmong } from "./sign-among.ts";

const MOVE_MS_MAX = 60_000;

/** A cluster of 3 of 5 whose members change, and an orchestrator that may lie. */
export class MemberChange {
  readonly cluster: TestCluster;
  shape: RosterShape = { parties: [1, 2, 3, 4, 5], threshold: 3 };
  #asked = 0;

  constructor(seed: string) {
    const records = provisionedRecords(5, 3);
    this.cluster = new TestCluster({ seed, size: 5, threshold: 3, engine: "tiny", records });
  }

  /**
   * Restarts all signers with another roster, and makes auxiliary information for it.
   *
   * @param auxiliaryFrom the current epoch of auxiliary information
   */
  begin(next: RosterShape, auxiliaryFrom = 1): void {
    this.shape = next;
    takeRoster(this.cluster, next);
    this.renewAuxiliary(auxiliaryFrom);
    this.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  }

  /** Has all signers make new auxiliary information. @throws when that fails */
  renewAuxiliary(from: number): void {
    const made = renewAuxiliaryOn(this.cluster, this.shape, from);
    this.cluster.until(() => made.isClosed, MOVE_MS_MAX);
    if (made.result === undefined) throw new Error(`nothing is made: ${made.problem?.message ?? ""}`);
  }

  /** A copy of a signer's store. */
  backup(signer: number): Records {
    return new Map(this.cluster.node(signer).records);
  }

  /** Restarts a signer from a copy of its store. */
  restore(signer: number, backup: Records): void {
    this.cluster.kill(signer);
    this.cluster.node(signer).restore(backup);
    this.cluster.restart(signer);
  }

  /**
   * Restarts a signer from a store from before it signed with two others, and lets its peers show it that. @throws when
   * they do not
   */
  putBack(signer: number): void {
    const others = [1, 2, 3, 4].filter((other) => other !== signer).slice(0, 2);
    const backup = this.backup(signer);
    if (!this.isSigned(this.request(), [signer, ...others].sort(), 1)) fail("nothing is signed");
    this.restore(signer, backup);
    this.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    if (this.status(signer).pool.rolledBack !== 1) fail("its peers showed it nothing");
  }

  /** @throws when the signer is dead */
  status(signer: number): SignerSummary {
    return signerStatus(this.cluster.node(signer).state ?? fail(`signer ${signer} is dead`));
  }

  /** A request dated now. */
  request(): SignedAuthorisation {
    this.#asked += 1;
    return askedAt(this.cluster, authoriseTransaction(this.#asked));
  }

  /** @param nonce of the transaction that is built for the request */
  sign(authorisation: SignedAuthorisation, quorum: readonly number[], nonce: number): Outcome<SigningResult> {
    return signAmong(this.cluster, this.shape, authorisation, quorum, nonce);
  }

  isSigned(authorisation: SignedAuthorisation, quorum: readonly number[], nonce: number): boolean {
    return this.sign(authorisation, quorum, nonce).result !== undefined;
  }

  /** Has an honest coordinator move the key. @throws when that fails */
  move(seed = "1"): void {
    this.#change("key-reshare", seed);
  }

  /** Has an honest coordinator give the key its next epoch, with the same holders. @throws when that fails */
  refresh(seed = "refresh"): void {
    this.#change("key-refresh", seed);
  }

  #change(kind: KeyChange["kind"], seed: string): void {
    const changed = moveKeyOn(this.cluster, this.shape, KEY_ID, seed, { kind });
    this.cluster.until(() => changed.isClosed, MOVE_MS_MAX);
    if (changed.result === undefined) throw new Error(`no ${kind}: ${changed.problem?.message ?? ""}`);
  }

  /** The certificate of a move for which all new holders gave receipts, and which the orchestrator does not show. */
  withheld(seed = "1"): Uint8Array {
    const { cluster } = this;
    const roster = rosterAt(this.shape);
    const holders = keyHolders(roster);
    const moved = moveKeyOn(cluster, this.shape, KEY_ID, seed);
    const pending = () => {
      const held = heldEpochsOf(cluster, KEY_ID);
      return holders.flatMap((party) => {
        const last = held.get(party)?.pending.at(-1);
        return last === undefined ? [] : [[party, last] as const];
      });
    };
    // shares of an attempt that ended may wait beside those of the last one
    const isOneSession = (): boolean => new Set(pending().map(([, { session }]) => session)).size === 1;
    cluster.until(() => pending().length === holders.length && isOneSession(), MOVE_MS_MAX);
    moved.die();
    const all = pending();
    const [[, made] = fail("somebody holds it")] = all;
    const { from, epoch, digest, session } = made;
    const transition = { subject: KEY_ID, from, to: epoch, digest, session: hexToBytes(session), holders };
    const receipts = new Map(all.map(([party, { receipt }]) => [party, receipt] as const));
    return certify(roster, transition, receipts) ?? fail("all signed");
  }

  /** Shows a certificate to one signer. @returns its answer */
  ask(signer: number, certificate: Uint8Array): SessionReport {
    const { heard } = this.cluster.call(signer, (call) => ({ kind: "switch-epoch", call, certificate }));
    this.cluster.until(() => heard.length > 0);
    return heard[0] ?? fail("it answers");
  }

  /** Shows a certificate to one signer. @throws when the signer refuses it */
  show(signer: number, certificate: Uint8Array): Extract<SessionReport, { readonly kind: "switched" }> {
    const answer = this.ask(signer, certificate);
    return answer.kind === "switched" ? answer : fail(JSON.stringify(answer));
  }

  /** Shows a certificate to signers. @returns their handovers */
  handoversOf(
    certificate: Uint8Array,
    ...signers: readonly number[]
  ): ReadonlyMap<PartyIndex, EpochHandover> {
    return new Map(
      signers.map((signer) => {
        const { handover } = this.show(signer, certificate);
        const read = handover && readHandover(handover);
        return [testParty(signer), read ?? fail("it hands over")] as const;
      }),
    );
  }
}

const fail = (why: string): never => {
  throw new Error(why);
};
