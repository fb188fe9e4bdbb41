import type {
  AskedForRequest,
  CallId,
  KeyPage,
  KeysAsked,
  ListedPresignature,
  SessionReport,
  SignedForRequest,
  SignerEvent,
} from "@conclave/cluster";
import { fail, type KeyAttestation, ok, type Problem, problem, type Result } from "@conclave/custody";
import type { SessionCall, SessionCommand, SignerStatus, StreamReport } from "@conclave/platform/grpc";

/** Calls that wait for an answer, of all callers. */
const CALLS_MAX = 256;
const STOPS = "the signer stops";

type Answer = Exclude<SessionReport, StreamReport>;
/** A signer's answer of one kind. */
export type AnswerOf<Kind extends Answer["kind"]> = Extract<Answer, { readonly kind: Kind }>;

/** Questions of one call with one report as the answer. */
type Question = Extract<
  SignerEvent,
  {
    readonly kind:
      | "activate-key"
      | "switch-epoch"
      | "discard-epoch"
      | "discard-key"
      | "discard-presignatures";
  }
>;
/** The content of a question. */
export type ContentOf<Kind extends Question["kind"]> = Omit<
  Extract<Question, { readonly kind: Kind }>,
  "kind" | "call"
>;

/** The receiver of a session's reports: they come in order, nothing comes after one that is not "progress". */
export type HearReport = (report: StreamReport) => void;

/** One open call: where its reports go. */
interface OpenCall {
  readonly report: (report: SessionReport) => void;
  /** ends the call with words that are not the state machine's */
  readonly end: (reason: string) => void;
}

/** A signer's status without a step of its state machine. */
export interface SignerViews {
  /** whether so much waits to be carried out that no session may begin */
  readonly isBusy: () => boolean;
  readonly status: () => SignerStatus;
  /** its keys */
  readonly keys: (asked: KeysAsked) => Promise<Result<KeyPage>>;
  /** all that is public of an active key (publicKeyInfoCodec); undefined when there is none */
  readonly keyInfo: (keyId: string) => Uint8Array | undefined;
  /** this signer's signed word on an active key; undefined when there is none */
  readonly attestation: (keyId: string) => KeyAttestation | undefined;
  /** by which the active epoch of a key, or of the auxiliary information, became active; undefined when there is none */
  readonly certificate: (subject: string) => Uint8Array | undefined;
  /** the bytes that it has signed for a request, from its store */
  readonly signed: (asked: AskedForRequest) => Promise<Result<SignedForRequest>>;
  /** the ready presignatures of one key, or of all */
  readonly presignatures: (keyId: string | undefined) => readonly ListedPresignature[];
}

const isAnswer = (report: SessionReport): report is Answer =>
  report.kind === "key-state" ||
  report.kind === "switched" ||
  report.kind === "epoch-discarded" ||
  report.kind === "presignatures-discarded";

const isOfKind = <Kind extends Answer["kind"]>(report: SessionReport, kind: Kind): report is AnswerOf<Kind> =>
  report.kind === kind;

/**
 * The operations of the Control service, without a socket. It turns calls into events of the state machine, and the machine's
 * reports into answers. A caller comes over gRPC (grpc/control-handlers.ts), or is in the same process.
 */
export class Control {
  /** answers without a call */
  readonly views: SignerViews;
  readonly #dispatch: (event: SignerEvent) => void;
  readonly #calls = new Map<CallId, OpenCall>();
  #count = 0;
  #isStopping = false;

  constructor(dispatch: (event: SignerEvent) => void, views: SignerViews) {
    this.#dispatch = dispatch;
    this.views = views;
  }

  /** Hands the state machine's reports to their calls; a call that has ended gets none. */
  report(call: CallId, report: SessionReport): void {
    this.#calls.get(call)?.report(report);
  }

  /** Takes no more work and ends every session with a failure: nobody is to blame that we stop. */
  stop(): void {
    this.#isStopping = true;
    for (const [id, call] of [...this.#calls]) {
      this.#dispatch({ kind: "call-closed", call: id });
      call.end(STOPS);
    }
  }

  /**
   * Begins a session, which lives until its caller cancels it or has its last report.
   *
   * @param hear may be called before this returns, with a refusal
   */
  begin(asked: SessionCommand, hear: HearReport): SessionCall {
    const whyNot = this.#whyNotBegin();
    if (whyNot !== undefined) {
      hear({ kind: "refusal", problem: whyNot });
      return { cancel: () => undefined };
    }
    const call = this.#newCall();
    const end = (report: StreamReport): void => {
      this.#calls.delete(call);
      hear(report);
    };
    this.#calls.set(call, {
      end: (reason) => end({ kind: "failure", reason, silent: [] }),
      report: (report) => {
        if (isAnswer(report)) return; // of other calls
        if (report.kind === "progress") hear(report);
        else end(report);
      },
    });
    this.#dispatch({ kind: "begin", call, ...asked });
    return {
      cancel: () => {
        if (this.#calls.delete(call)) this.#dispatch({ kind: "call-closed", call });
      },
    };
  }

  /** Makes a pending key active. @returns what the signer holds of it then, or its refusal */
  activateKey(which: ContentOf<"activate-key">): Promise<Result<AnswerOf<"key-state">>> {
    return this.#ask({ kind: "activate-key", ...which }, "key-state");
  }

  /** Forgets a pending key, or ends the session that makes a next share. @returns as `activateKey` */
  discardKey(which: ContentOf<"discard-key">): Promise<Result<AnswerOf<"key-state">>> {
    return this.#ask({ kind: "discard-key", ...which }, "key-state");
  }

  /** Takes the receipts of all signers for a new epoch. @returns the epoch that is active then, or its refusal */
  switchEpoch(shown: ContentOf<"switch-epoch">): Promise<Result<AnswerOf<"switched">>> {
    return this.#ask({ kind: "switch-epoch", ...shown }, "switched");
  }

  /** Waives or erases what a session made. @returns that, or its refusal */
  discardEpoch(which: ContentOf<"discard-epoch">): Promise<Result<AnswerOf<"epoch-discarded">>> {
    return this.#ask({ kind: "discard-epoch", ...which }, "epoch-discarded");
  }

  /** Burns presignatures that are ready. @returns how many were */
  discardPresignatures(
    which: ContentOf<"discard-presignatures">,
  ): Promise<Result<AnswerOf<"presignatures-discarded">>> {
    return this.#ask({ kind: "discard-presignatures", ...which }, "presignatures-discarded");
  }

  /** @param kind of the report that answers this question; any other but a refusal is a fault of ours */
  #ask<Kind extends Answer["kind"]>(question: QuestionFields, kind: Kind): Promise<Result<AnswerOf<Kind>>> {
    const whyNot = this.#whyNot();
    if (whyNot !== undefined) return Promise.resolve({ ok: false, problem: whyNot });
    const call = this.#newCall();
    return new Promise((resolve) => {
      const end = (answer: Result<AnswerOf<Kind>>): void => {
        this.#calls.delete(call);
        resolve(answer);
      };
      this.#calls.set(call, {
        end: (reason) => end(fail("ServiceUnavailable", {}, reason)),
        report: (report) => {
          if (isOfKind(report, kind)) end(ok(report));
          else if (report.kind === "refusal") end({ ok: false, problem: report.problem });
          else end(fail("Internal"));
        },
      });
      this.#dispatch({ ...question, call });
    });
  }

  /** A caller that begins and cancels frees its call at once, and not what the signer does for it meanwhile. */
  #whyNotBegin(): Problem | undefined {
    return this.views.isBusy() ? problem("TooManySessions") : this.#whyNot();
  }

  #whyNot(): Problem | undefined {
    if (this.#isStopping) return problem("ServiceUnavailable", {}, "The signer stops.");
    return this.#calls.size >= CALLS_MAX ? problem("TooManySessions") : undefined;
  }

  #newCall(): CallId {
    this.#count += 1;
    const text = `call-${this.#count}`;
    const isCall = (candidate: string): candidate is CallId => candidate.startsWith("call-");
    if (!isCall(text)) throw new Error("not a call's name");
    return text;
  }
}

type QuestionFields = Question extends infer Each
  ? Each extends Question
    ? Omit<Each, "call">
    : never
  : never;
