import type { CallId, SessionReport, SignerEvent } from "@conclave/cluster";
import { type Problem, problem, type SignedAuthorisation } from "@conclave/custody";
import {
  type ControlHandlers,
  type SignerStatus,
  type StreamReport,
  toSessionEvent,
  toStatus,
  toStatusReply,
} from "@conclave/platform/grpc";
import { type ServerWritableStream, type sendUnaryData, status } from "@grpc/grpc-js";

/** Calls that wait for an answer, of all callers. */
export const CALLS_MAX = 256;

type Begin = Extract<SignerEvent, { readonly kind: "begin-auxiliary" | "begin-key" | "begin-signing" }>;
type BeginFields = Begin extends infer Each ? (Each extends Begin ? Omit<Each, "call"> : never) : never;
type SessionStream = ServerWritableStream<unknown, ReturnType<typeof toSessionEvent>>;
type KeyCallback = sendUnaryData<{ keyId: string; state: string }>;

/** One open call: where its reports are written. */
interface OpenCall {
  readonly report: (report: SessionReport) => void;
  /** ends the call with words that the brain did not say */
  readonly end: (report: Extract<StreamReport, { readonly kind: "failure" }>) => void;
}

interface WireAuthorisation {
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** An authorisation that is missing has no signature, and is refused as such. */
const authorisationOf = (wire: WireAuthorisation | null): SignedAuthorisation =>
  wire ?? { payload: new Uint8Array(0), signature: new Uint8Array(0) };

/** The Control service: calls become events, reports become answers. */
export class Control {
  readonly #dispatch: (event: SignerEvent) => void;
  readonly #status: () => SignerStatus;
  readonly #calls = new Map<CallId, OpenCall>();
  #count = 0;
  #isStopping = false;

  constructor(dispatch: (event: SignerEvent) => void, status: () => SignerStatus) {
    this.#dispatch = dispatch;
    this.#status = status;
  }

  /** Writes what the brain says to the call that it is for; a call that is gone hears nothing. */
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
      GenerateAuxiliary: (call) => {
        const { sessionId, epoch, expiresAtMs } = call.request;
        this.#begin(call, { kind: "begin-auxiliary", session: sessionId, epoch, expiresAtMs });
      },
      GenerateKey: (call) => {
        const { sessionId, authorisation, expiresAtMs } = call.request;
        this.#begin(call, {
          kind: "begin-key",
          session: sessionId,
          authorisation: authorisationOf(authorisation),
          expiresAtMs,
        });
      },
      Sign: (call) => {
        const { sessionId, quorum, keyId, authorisation, unsignedTransaction, expiresAtMs } = call.request;
        this.#begin(call, {
          kind: "begin-signing",
          session: sessionId,
          quorum,
          keyId,
          authorisation: authorisationOf(authorisation),
          unsignedTransaction,
          expiresAtMs,
        });
      },
      ActivateKey: (call, callback) => this.#askOfKey("activate-key", call.request.keyId, callback),
      DiscardKey: (call, callback) => this.#askOfKey("discard-key", call.request.keyId, callback),
      GetStatus: (call, callback) => callback(null, toStatusReply(this.#status(), call.request.allKeys)),
    };
  }

  #begin(stream: SessionStream, fields: BeginFields): void {
    const whyNot = this.#whyNot();
    if (whyNot !== undefined) {
      stream.write(toSessionEvent({ kind: "refusal", problem: whyNot }));
      stream.end();
      return;
    }
    const call = this.#newCall();
    const end = (report: StreamReport): void => {
      this.#calls.delete(call);
      stream.write(toSessionEvent(report));
      stream.end();
    };
    this.#calls.set(call, {
      end,
      report: (report) => {
        if (report.kind === "key-state") return; // the answer to another kind of call
        if (report.kind === "progress") stream.write(toSessionEvent(report));
        else end(report);
      },
    });
    stream.on("cancelled", () => {
      if (this.#calls.delete(call)) this.#dispatch({ kind: "call-closed", call });
    });
    stream.on("error", () => undefined); // "cancelled" follows
    this.#dispatch({ ...fields, call });
  }

  #askOfKey(kind: "activate-key" | "discard-key", keyId: string, callback: KeyCallback): void {
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
        if (report.kind === "key-state") callback(null, { keyId: report.keyId, state: report.state });
        else callback(toStatus(report.kind === "refusal" ? report.problem : problem("Internal")));
      },
    });
    this.#dispatch({ kind, call, keyId });
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
