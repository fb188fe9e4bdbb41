import type {
  AnswerOfKey,
  AskedForRequest,
  Command,
  EpochWaiver,
  KeyPage,
  KeysAsked,
  ListedPresignature,
  NamedSession,
  SignedForRequest,
} from "@conclave/cluster";
import { fail, type KeyAttestation, ok, type Result, type SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { Client, type ClientReadableStream, Metadata, status } from "@grpc/grpc-js";
import type { TlsIdentity } from "../certificates/loading.ts";
import { toCommand } from "./command.ts";
import type { KeyRequest, Report__Output } from "./generated/proto.gen.ts";
import { HealthWatch } from "./health-watch.ts";
import { fromKeysReply, isKeyState, toKeysRequest } from "./held-keys.ts";
import { keysOfOlder } from "./older-key-lists.ts";
import { signerOlder } from "./older-version.ts";
import { fromListReply } from "./presignature-list.ts";
import { fromServiceError } from "./problem-status.ts";
import { CONTROL } from "./proto.ts";
import { fromReport, type StreamReport } from "./report.ts";
import { fromStatusReply, type KeyAnswer, type SignerStatus } from "./signer-status.ts";
import { CONTROL_CHANNEL_OPTIONS, channelCredentials } from "./transport.ts";

const STATUS_DEADLINE_MS = 2_000;
/** Enough for a signer to look through a thousand keys. */
const LIST_DEADLINE_MS = 5_000;
/** A signer's answer to a certificate. */
export type SwitchAnswer = Omit<Extract<AnswerOfKey, { readonly kind: "switched" }>, "kind">;

/** Enough for a synced write or two on the signer's disk. */
const KEY_DEADLINE_MS = 5_000;

export interface SignerAddress {
  readonly index: PartyIndex;
  /** `host:port` */
  readonly address: string;
}

/** Hears the stream of a begun session: reports in order, then nothing more after a final report or `lost`. */
export interface SessionListener {
  readonly report: (report: StreamReport) => void;
  /** the stream ended without a final report: the signer died, cannot be reached, or sends malformed reports */
  readonly lost: (reason: string) => void;
}

/** A begun session. */
export interface SessionCall {
  /** Closes the stream, which makes the signer abort the session; the listener hears nothing more. */
  readonly cancel: () => void;
}

/** The part of a method's definition that a client needs. */
interface CallableMethod<Request, Reply> {
  readonly path: string;
  readonly requestSerialize: (request: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Reply;
}

/** The orchestrator's client of one signer: the Control service over mutual TLS. */
export class SignerClient {
  readonly index: PartyIndex;
  readonly #client: Client;
  readonly #watches = new Set<HealthWatch>();
  #isClosed = false;

  /** Connects at the first call. After a loss it connects again at most 200 ms after the signer is back. */
  constructor(signer: SignerAddress, tls: TlsIdentity) {
    this.index = signer.index;
    const credentials = channelCredentials(tls, { kind: "signer", index: signer.index });
    this.#client = new Client(signer.address, credentials, CONTROL_CHANNEL_OPTIONS);
  }

  /** Begins a session under a fresh id. The session lives as long as its stream. */
  begin(named: NamedSession, command: Command, listener: SessionListener): SessionCall {
    if (this.#isClosed) {
      listener.lost("the client is closed");
      return { cancel: () => undefined };
    }
    return listen(this.#stream(CONTROL.Begin, toCommand({ ...named, command })), listener, this.index);
  }

  /**
   * Activates a pending key as it was generated. Idempotent.
   *
   * @returns the signer's state of the key afterwards; its refusal; or outage ServiceUnavailable when it does not
   * answer in time
   */
  activateKey(keyId: string): Promise<Result<KeyAnswer>> {
    return this.#keyCall(CONTROL.ActivateKey, { keyId });
  }

  /**
   * Makes the signer erase a pending key; the signer refuses to erase an active one. Idempotent. Answers as
   * `activateKey`.
   */
  discardKey(keyId: string): Promise<Result<KeyAnswer>> {
    return this.#keyCall(CONTROL.DiscardKey, { keyId });
  }

  /**
   * Sends the signer the receipts of all signers for a new epoch, so that it switches to it. Idempotent.
   *
   * @returns the epoch that is active then, and the signer's handover; refusal EpochCertificateInvalid or EpochLacking;
   * or outage ServiceUnavailable
   */
  async switchEpoch(certificate: Uint8Array): Promise<Result<SwitchAnswer>> {
    const request = { certificate: Buffer.from(certificate) };
    const reply = await this.#unary(CONTROL.SwitchEpoch, request, KEY_DEADLINE_MS);
    if (!reply.ok) return reply;
    const { epoch, handover, isWaiting } = reply.value;
    return ok({ epoch, ...(handover.length === 0 ? {} : { handover }), isWaiting });
  }

  /**
   * Orders the signer to discard the epoch that a session made. Idempotent.
   *
   * @param authorised AuthorisedKeyDiscard
   * @param waivers of other signers: with waivers of t of them, a signer that holds the epoch erases it
   * @returns the signer's own waiver, undefined if it held the epoch and erased it; refusal EpochReceipted; or an
   * outage
   */
  async discardEpoch(
    authorised: SignedAuthorisation,
    waivers: readonly EpochWaiver[],
  ): Promise<Result<Uint8Array | undefined>> {
    const { payload, signature } = authorised;
    const request = {
      authorisation: { payload: Buffer.from(payload), signature: Buffer.from(signature) },
      waivers: waivers.map((waiver) => ({ ...waiver, signature: Buffer.from(waiver.signature) })),
    };
    const reply = await this.#unary(CONTROL.DiscardEpoch, request, KEY_DEADLINE_MS);
    if (!reply.ok) return reply;
    const { waiver } = reply.value;
    return ok(waiver.length === 0 ? undefined : waiver);
  }

  /**
   * The certificate by which an epoch became active.
   *
   * @param subject a key's id, or AUXILIARY_SUBJECT
   * @returns the certificate, which callers check against the roster; undefined if the signer has none; or outage
   * ServiceUnavailable
   */
  async getCertificate(subject: string): Promise<Result<Uint8Array | undefined>> {
    const reply = await this.#unary(CONTROL.GetCertificate, { subject }, STATUS_DEADLINE_MS);
    if (!reply.ok) return reply;
    const { certificate } = reply.value;
    return ok(certificate.length === 0 ? undefined : certificate);
  }

  /**
   * All public information of an active key, as a reshare needs it.
   *
   * @returns publicKeyInfoCodec bytes, which are unverified; refusal KeyUnknown; or outage ServiceUnavailable
   */
  async getKeyInfo(keyId: string): Promise<Result<Uint8Array>> {
    const reply = await this.#unary(CONTROL.GetKeyInfo, { keyId }, STATUS_DEADLINE_MS);
    return reply.ok ? ok(reply.value.publicInfo) : reply;
  }

  /**
   * The signer's attestation of an active key.
   *
   * @returns the signed attestation, which callers check against the signer's pinned identity key; refusal KeyUnknown;
   * or outage ServiceUnavailable
   */
  async attestKey(keyId: string): Promise<Result<KeyAttestation>> {
    const reply = await this.#unary(CONTROL.AttestKey, { keyId }, STATUS_DEADLINE_MS);
    if (!reply.ok) return reply;
    const { signature, statement, statementSignature } = reply.value;
    const stated = { statement, signature: statementSignature };
    return ok(statement.length === 0 ? { signature } : { signature, stated });
  }

  /**
   * @returns the status, whose size does not grow with the signer's keys, or outage ServiceUnavailable after
   * at most 2 s
   */
  async getStatus(): Promise<Result<SignerStatus>> {
    const reply = await this.#unary(CONTROL.GetStatus, { countsOnly: true }, STATUS_DEADLINE_MS);
    return reply.ok ? ok(fromStatusReply(reply.value)) : reply;
  }

  /**
   * The signer's keys: the named ones, at most KEYS_NAMED_MAX, in their order; or one page.
   *
   * @returns an entry for each named key, or the page; or outage ServiceUnavailable after at most 5 s, or if the answer
   * is malformed: then it is unknown what the signer holds
   */
  async listKeys(asked: KeysAsked): Promise<Result<KeyPage>> {
    const reply = await this.#unary(CONTROL.ListKeys, toKeysRequest(asked), LIST_DEADLINE_MS);
    if (!reply.ok) return reply.problem.code === "SignerOlder" ? this.#olderKeys(asked) : reply;
    return sensible(fromKeysReply(asked, reply.value));
  }

  /**
   * Discards presignatures that are ready at the signer; others are skipped. Idempotent.
   *
   * @returns how many were ready, or outage ServiceUnavailable when the signer does not answer in time
   */
  async discardPresignatures(ids: readonly string[]): Promise<Result<number>> {
    const reply = await this.#unary(CONTROL.DiscardPresignatures, { ids: [...ids] }, KEY_DEADLINE_MS);
    return reply.ok ? ok(reply.value.count) : reply;
  }

  /**
   * The presignatures that are ready at the signer.
   *
   * @param keyId only those of this key; of all keys when absent
   * @returns them, or outage ServiceUnavailable when the signer does not answer in time or its answer is malformed
   */
  async listPresignatures(keyId?: string): Promise<Result<readonly ListedPresignature[]>> {
    const reply = await this.#unary(CONTROL.ListPresignatures, { keyId: keyId ?? "" }, STATUS_DEADLINE_MS);
    if (!reply.ok) return reply;
    const listed = fromListReply(reply.value);
    return listed === undefined
      ? fail("ServiceUnavailable", {}, "The signer's list of presignatures makes no sense.")
      : ok(listed);
  }

  /**
   * The bytes that the signer has signed for a request.
   *
   * @returns the signer's unverified statement; or outage ServiceUnavailable or SignerOlder
   */
  async getSigned(asked: AskedForRequest): Promise<Result<SignedForRequest>> {
    const reply = await this.#unary(CONTROL.GetSigned, asked, STATUS_DEADLINE_MS);
    return reply.ok ? ok(reply.value) : reply;
  }

  /** Reports whether the signer serves: at once, and at each change, until closed. Reconnects by itself. */
  watchHealth(changed: (isServing: boolean) => void): HealthWatch {
    const watch = new HealthWatch(this.#client, changed);
    this.#watches.add(watch);
    return watch;
  }

  /** Ends the connection and all its calls. */
  close(): void {
    this.#isClosed = true;
    for (const watch of this.#watches) watch.close();
    this.#watches.clear();
    this.#client.close();
  }

  /** A signer that is not upgraded yet lists its keys in its status, as many as one message can hold. */
  async #olderKeys(asked: KeysAsked): Promise<Result<KeyPage>> {
    const allKeys = asked.kind === "named" || asked.which === "all";
    const reply = await this.#unary(CONTROL.GetStatus, { allKeys }, LIST_DEADLINE_MS);
    return reply.ok ? sensible(keysOfOlder(asked, reply.value)) : reply;
  }

  #stream<Request, Reply>(
    method: CallableMethod<Request, Reply>,
    request: NoInfer<Request>,
  ): ClientReadableStream<Reply> {
    const { path, requestSerialize, responseDeserialize } = method;
    return this.#client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request);
  }

  #unary<Request, Reply>(
    method: CallableMethod<Request, Reply>,
    request: NoInfer<Request>,
    deadlineMs: number,
  ): Promise<Result<Reply>> {
    const { path, requestSerialize, responseDeserialize } = method;
    if (this.#isClosed) return Promise.resolve(fail("ServiceUnavailable", {}, "The client is closed."));
    const options = { deadline: Date.now() + deadlineMs };
    return new Promise((resolve) => {
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        new Metadata(),
        options,
        (error, reply) => {
          if (error?.code === status.UNIMPLEMENTED) resolve({ ok: false, problem: signerOlder(this.index) });
          else if (error !== null) resolve(fromServiceError(error));
          else resolve(reply === undefined ? fail("ServiceUnavailable") : ok(reply));
        },
      );
    });
  }

  async #keyCall(
    method: typeof CONTROL.ActivateKey | typeof CONTROL.DiscardKey,
    request: KeyRequest,
  ): Promise<Result<KeyAnswer>> {
    const reply = await this.#unary(method, request, KEY_DEADLINE_MS);
    if (!reply.ok) return reply;
    const { state, epoch } = reply.value;
    return isKeyState(state)
      ? ok({ state, epoch })
      : fail("ServiceUnavailable", { state }, "The signer's answer makes no sense.");
  }
}

const sensible = (page: KeyPage | undefined): Result<KeyPage> =>
  page === undefined ? fail("ServiceUnavailable", {}, "The signer's list of keys makes no sense.") : ok(page);

/** Turns a stream into reports with exactly one end: a final report, `lost`, or nothing after a cancel. */
const listen = (
  stream: ClientReadableStream<Report__Output>,
  listener: SessionListener,
  signer: PartyIndex,
): SessionCall => {
  let isOver = false;
  const end = (lastWord?: () => void): void => {
    if (isOver) return;
    isOver = true;
    lastWord?.();
    stream.cancel();
  };
  stream.on("data", (event: Report__Output) => {
    if (isOver) return;
    const report = fromReport(event);
    if (report === undefined) end(() => listener.lost("the signer's report makes no sense"));
    else if (report.kind === "progress") listener.report(report);
    else end(() => listener.report(report));
  });
  stream.on("error", (error: Error & { readonly code?: status }) =>
    end(() => {
      if (error.code === status.UNIMPLEMENTED)
        listener.report({ kind: "refusal", problem: signerOlder(signer) });
      else listener.lost(error.message);
    }),
  );
  stream.on("end", () => end(() => listener.lost("the stream ended without a last word")));
  return { cancel: () => end() };
};
