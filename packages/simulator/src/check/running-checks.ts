import type { PartyIndex } from "@conclave/threshold";
import { type DecodedShare, fewSharesEach } from "./inv-1.ts";
import { type OpenedRun, oneDigestEach, openedOnce } from "./inv-2.ts";
import { asAuthorised, signedAsAsked } from "./inv-3.ts";
import { excludingEach, type LandedPayment, onePaymentEach } from "./inv-4.ts";
import { answersAuthority, byAuthority } from "./inv-8.ts";
import type { JudgePartial, MadePartial } from "./made-partial.ts";
import type { AnsweredCommand, JudgeAnswer } from "./payload/answered-command.ts";
import { AskedPayloads, type PassedPayload } from "./payload/asked-payloads.ts";
import type { ReadsPayload } from "./payload/read-payload.ts";
import type { Violation } from "./violation.ts";

/** Violations of one invariant that are kept: the first says when it began, a few more how it went on. */
const KEPT_OF_EACH = 3;

export interface RunningChecksOptions {
  /** of the chains of the world */
  readonly readers: readonly ReadsPayload[];
  /** Ed25519, 32 bytes */
  readonly authorityKey: Uint8Array;
}

/** The checks that judge a run while it runs, each from what passes between processes, engine and chain. */
export class RunningChecks {
  readonly #asked: AskedPayloads;
  readonly #partial: readonly JudgePartial[];
  readonly #answer: readonly JudgeAnswer[];
  readonly #share = fewSharesEach();
  readonly #opened = openedOnce();
  readonly #view = onePaymentEach();
  readonly #found: Violation[] = [];

  constructor({ readers, authorityKey }: RunningChecksOptions) {
    const asked = new AskedPayloads(readers);
    this.#asked = asked;
    this.#partial = [
      oneDigestEach(),
      asAuthorised(asked),
      excludingEach(asked),
      byAuthority(asked, authorityKey),
    ];
    this.#answer = [signedAsAsked, answersAuthority(authorityKey)];
  }

  /** A command to sign has left for a signer. */
  passed(payload: PassedPayload): void {
    this.#asked.note(payload);
  }

  /** A signer has answered a command to sign with signatures. */
  answered(payload: PassedPayload, answer: Pick<AnsweredCommand, "atMs" | "digests">): void {
    const asked = this.#asked.read(payload);
    const { signer } = payload;
    if (asked === undefined) {
      const words = `signer-${signer} answers a command: its payload is of no chain of the cluster`;
      this.#keep([{ invariant: "INV-3", words, atMs: answer.atMs }]);
      return;
    }
    for (const judge of this.#answer) this.#keep(judge({ ...answer, signer, asked }));
  }

  /** The request whose payload a signer was asked to sign with this digest; undefined where it was asked for none. */
  requestOf(signer: PartyIndex, digest: string): string | undefined {
    return this.#asked.of(signer, digest)[0]?.authorised?.requestId;
  }

  /** A signer made a partial signature. */
  partial(made: MadePartial): void {
    for (const judge of this.#partial) this.#keep(judge(made));
  }

  /** A process decoded a share of a key. */
  decoded(share: DecodedShare): void {
    this.#keep(this.#share(share));
  }

  /** A signer opened a run. */
  opened(opened: OpenedRun): void {
    this.#keep(this.#opened(opened));
  }

  /** A block was made. @param payments on the chain as it is now */
  block(payments: readonly LandedPayment[], atMs: number): void {
    this.#keep(this.#view(payments, atMs));
  }

  /** In the order of their times. */
  get found(): readonly Violation[] {
    return this.#found;
  }

  #keep(violations: readonly Violation[]): void {
    for (const violation of violations) {
      const alike = this.#found.filter(({ invariant }) => invariant === violation.invariant);
      if (alike.length < KEPT_OF_EACH) this.#found.push(violation);
    }
  }
}
