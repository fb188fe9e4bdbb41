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
import { type KeyAttestation, type Problem, problem, type Result } from "@conclave/custody";
import {
  type Command__Output,
  type ControlHandlers,
  fromCommand,
  fromKeysRequest,
  type SignerStatus,
  type StatusReply,
  type StatusRequest__Output,
  type StreamReport,
  toKeysReply,
  toListReply,
  toReport,
  toStatus,
  toStatusReply,
  withKeyLists,
} from "@conclave/platform/grpc";
import { type ServerWritableStream, type sendUnaryData, status } from "@grpc/grpc-js";

/** Calls that wait for an answer, of all callers. */
const CALLS_MAX = 256;

type SessionStream = ServerWritableStream<unknown, ReturnType<typeof toReport>>;

const UNKNOWN_COMMAND = problem("InvalidBody", {}, "The command names nothing that this signer can do.");

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
type QuestionFields = Question extends infer Each
  ? Each extends Question
    ? Omit<Each, "call">
    : never
  : never;

/** One open call: where its reports are written. */
interface OpenCall {
  readonly report: (report: SessionReport) => void;
  /** ends the call with words that are not the state machine's */
  readonly end: (report: Extract<StreamReport, { readonly kind: "failure" }>) => void;
}

const NOTHING = new Uint8Array(0);

const keyStateOf = (report: SessionReport) =>
  report.kind === "key-state" ? { keyId: report.keyId, state: report.state, epoch: report.epoch } : undefined;

const switchedOf = (report: SessionReport) =>
  report.kind === "switched"
    ? {
        subject: report.subject,
        epoch: report.epoch,
        handover: Buffer.from(report.handover ?? NOTHING),
        isWaiting: report.isWaiting ?? false,
      }
    : undefined;

const waiverOf = (report: SessionReport) =>
  report.kind === "epoch-discarded" ? { waiver: Buffer.from(report.waiver ?? new Uint8Array(0)) } : undefined;

const NOT_AUTHORISED = { payload: NOTHING, signature: NOTHING };

/** A signer that states nothing says so by empty fields, as an older one does. */
const attestationOf = ({ signature, stated }: KeyAttestation) => ({
  signature: Buffer.from(signature),
  statement: Buffer.from(stated?.statement ?? NOTHING),
  statementSignature: Buffer.from(stated?.signature ?? NOTHING),
});

const discardedOf = (report: SessionReport) =>
  report.kind === "presignatures-discarded" ? { count: report.count } : undefined;

type Answer = Exclude<SessionReport, StreamReport>;

const isAnswer = (report: SessionReport): report is Answer =>
  report.kind === "key-state" ||
  report.kind === "switched" ||
  report.kind === "epoch-discarded" ||
  report.kind === "presignatures-discarded";

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

/** The Control service: calls become events, reports become answers. */
export class Control {
  readonly #dispatch: (event: SignerEvent) => void;
  readonly #views: SignerViews;
  readonly #calls = new Map<CallId, OpenCall>();
  #count = 0;
  #isStopping = false;

  constructor(dispatch: (event: SignerEvent) => void, views: SignerViews) {
    this.#dispatch = dispatch;
    this.#views = views;
  }

  /** Writes the state machine's reports to their calls; a call that has ended gets none. */
  report(call: CallId, report: SessionReport): void {
    this.#calls.get(call)?.report(report);
  }

  /** Takes no more work and ends every session with a failure: nobody is to blame that we stop. */
  stop(): void {
    this.#isStopping = true;
    for (const [id, call] of [...this.#calls]) {
      this.#dispatch({ kind: "call-closed", call: id });
      call.end({ kind: "failure", reason: "the signer stops", silent: [] });
    }
  }

  handlers(): ControlHandlers {
    return {
      Begin: (call) => this.#begin(call, call.request),
      GetKeyInfo: (call, callback) => {
        const info = this.#views.keyInfo(call.request.keyId);
        if (info === undefined) callback(toStatus(problem("KeyUnknown")));
        else callback(null, { publicInfo: Buffer.from(info) });
      },
      AttestKey: (call, callback) => {
        const said = this.#views.attestation(call.request.keyId);
        if (said === undefined) callback(toStatus(problem("KeyUnknown")));
        else callback(null, attestationOf(said));
      },
      ActivateKey: (call, callback) => {
        const { keyId, epoch } = call.request;
        const which = epoch === 0 ? { keyId } : { keyId, epoch };
        this.#ask({ kind: "activate-key", ...which }, callback, keyStateOf);
      },
      DiscardKey: (call, callback) => {
        const { keyId, authorisation } = call.request;
        const which = authorisation === null ? { keyId } : { keyId, authorisation };
        this.#ask({ kind: "discard-key", ...which }, callback, keyStateOf);
      },
      SwitchEpoch: (call, callback) =>
        this.#ask({ kind: "switch-epoch", certificate: call.request.certificate }, callback, switchedOf),
      DiscardEpoch: (call, callback) => {
        const { authorisation, waivers } = call.request;
        this.#ask(
          { kind: "discard-epoch", authorisation: authorisation ?? NOT_AUTHORISED, waivers },
          callback,
          waiverOf,
        );
      },
      GetCertificate: (call, callback) =>
        callback(null, {
          certificate: Buffer.from(this.#views.certificate(call.request.subject) ?? new Uint8Array(0)),
        }),
      DiscardPresignatures: (call, callback) =>
        this.#ask({ kind: "discard-presignatures", ids: call.request.ids }, callback, discardedOf),
      ListPresignatures: (call, callback) => {
        const { keyId } = call.request;
        callback(null, toListReply(this.#views.presignatures(keyId === "" ? undefined : keyId)));
      },
      GetSigned: (call, callback) =>
        this.#answer(callback, this.#views.signed(call.request), ({ transactions, ...known }) => ({
          ...known,
          transactions: transactions.map((each) => Buffer.from(each)),
        })),
      GetStatus: (call, callback) => this.#status(call.request, callback),
      ListKeys: (call, callback) => {
        const asked = fromKeysRequest(call.request);
        if (asked === undefined) callback(toStatus(UNKNOWN_COMMAND));
        else this.#answer(callback, this.#views.keys(asked), toKeysReply);
      },
    };
  }

  #status({ countsOnly, allKeys }: StatusRequest__Output, callback: sendUnaryData<StatusReply>): void {
    const status = toStatusReply(this.#views.status());
    if (countsOnly) callback(null, status);
    else this.#answer(callback, withKeyLists(status, allKeys, this.#views.keys), (reply) => reply);
  }

  /** A store that cannot be read is said to the caller, and stops nothing by itself. */
  #answer<Found, Reply>(
    callback: sendUnaryData<Reply>,
    finding: Promise<Result<Found>>,
    replyOf: (found: Found) => Reply,
  ): void {
    finding.then(
      (found) => (found.ok ? callback(null, replyOf(found.value)) : callback(toStatus(found.problem))),
      () => callback(toStatus(problem("Internal"))),
    );
  }

  #begin(stream: SessionStream, wire: Command__Output): void {
    const asked = fromCommand(wire);
    const whyNot = asked === undefined ? UNKNOWN_COMMAND : this.#whyNotBegin();
    if (asked === undefined || whyNot !== undefined) {
      stream.write(toReport({ kind: "refusal", problem: whyNot ?? UNKNOWN_COMMAND }));
      stream.end();
      return;
    }
    const call = this.#newCall();
    const end = (report: StreamReport): void => {
      this.#calls.delete(call);
      stream.write(toReport(report));
      stream.end();
    };
    this.#calls.set(call, {
      end,
      report: (report) => {
        if (isAnswer(report)) return; // of other calls
        if (report.kind === "progress") stream.write(toReport(report));
        else end(report);
      },
    });
    stream.on("cancelled", () => {
      if (this.#calls.delete(call)) this.#dispatch({ kind: "call-closed", call });
    });
    stream.on("error", () => undefined); // "cancelled" follows
    this.#dispatch({ kind: "begin", call, ...asked });
  }

  /** @param answerOf the report's content, undefined when it is no answer to this question */
  #ask<Reply>(
    question: QuestionFields,
    callback: sendUnaryData<Reply>,
    answerOf: (report: SessionReport) => Reply | undefined,
  ): void {
    const whyNot = this.#whyNot();
    if (whyNot !== undefined) {
      callback(toStatus(whyNot));
      return;
    }
    const call = this.#newCall();
    this.#calls.set(call, {
      end: ({ reason }) => {
        this.#calls.delete(call);
        callback({ code: status.UNAVAILABLE, details: reason });
      },
      report: (report) => {
        this.#calls.delete(call);
        const answer = answerOf(report);
        if (answer !== undefined) callback(null, answer);
        else callback(toStatus(report.kind === "refusal" ? report.problem : problem("Internal")));
      },
    });
    this.#dispatch({ ...question, call });
  }

  /** A caller that begins and cancels frees its call at once, and not what the signer does for it meanwhile. */
  #whyNotBegin(): Problem | undefined {
    return this.#views.isBusy() ? problem("TooManySessions") : this.#whyNot();
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
