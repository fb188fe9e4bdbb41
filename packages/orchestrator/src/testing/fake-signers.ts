import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { FAMILIES, signingReader } from "@conclave/chains";
import type { EvmNetwork } from "@conclave/chains/evm";
import type { TestAccount } from "@conclave/chains/testing";
import {
  type AskedForRequest,
  AUXILIARY_SUBJECT,
  type Command,
  type CommandOf,
  type KeyHolding,
  type KeyPage,
  type KeysAsked,
  LIFE_BYTES,
  type NamedSession,
  type RosterMember,
  readCertificate,
  receiptBytes,
  type SignedForRequest,
} from "@conclave/cluster";
import {
  attestationBytes,
  authorisedActSchema,
  authorisedExportSchema,
  authorisedImportSchema,
  authorisedKeySchema,
  fail,
  type KeyScheme,
  ok,
  problem,
  type Result,
  type SigningReader,
} from "@conclave/custody";
import type { Signer } from "@conclave/platform/coordination";
import type {
  HeldKeyState,
  KeyAnswer,
  SessionCall,
  SessionListener,
  SignerStatus,
} from "@conclave/platform/grpc";
import { IDLE_STATUS } from "@conclave/platform/testing";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { pageOf } from "./key-pages.ts";

const json = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString("utf8"));

const identities = new Map<number, { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>();

/** The identity of a fake signer: one for each index, for the lifetime of the process. */
const identityOf = (index: number) => {
  const known = identities.get(index) ?? generateKeyPairSync("ed25519");
  identities.set(index, known);
  return known;
};

/** The identity key of a fake signer for a roster, lower-case hex. */
export const identityKeyOf = (index: number): string => {
  const { x = "" } = identityOf(index).publicKey.export({ format: "jwk" });
  return Buffer.from(x, "base64url").toString("hex");
};

const auxiliaryDigestOf = (epoch: number): Uint8Array => new Uint8Array(32).fill(epoch);

/** The memory of a fake signer; it survives a kill, as the store of a real one does. */
interface Store {
  readonly keys: Map<
    string,
    {
      state: HeldKeyState;
      publicKey: Uint8Array;
      /** ECDSA by default */
      scheme?: KeyScheme;
      isImported?: boolean;
      isExported?: boolean;
    }
  >;
  /** the exclusion of the first transaction of each request (INV-4) */
  readonly exclusions: Map<string, Uint8Array>;
  /** unsigned bytes that were signed for each request, the latest last */
  readonly signed: Map<string, readonly Uint8Array[]>;
  auxiliaryEpoch: number;
  /** the peers with which it reports to sign nothing */
  quarantined: SignerStatus["quarantined"];
  /** the time that it reports; undefined as from an older version */
  clockMs: SignerStatus["clockMs"];
}

/**
 * Signers that share one whole key, for tests of the orchestrator's flow alone. They answer like real ones, judge
 * transactions with the real reader, and die, hang and come back on demand.
 */
export class FakeSigners {
  readonly signers: readonly FakeSigner[];
  /** number of sessions that signers were asked for, of any kind */
  sessions = 0;

  constructor(count: number, account: TestAccount, network: EvmNetwork) {
    this.signers = Array.from({ length: count }, (_, at) => {
      const index = partyIndex(at + 1);
      if (index === undefined) throw new RangeError("too many signers");
      const counted = () => {
        this.sessions += 1;
      };
      return new FakeSigner(index, account, network, counted, () => this.#members());
    });
  }

  /** The roster members for all fake signers. */
  #members(): ReadonlyMap<PartyIndex, RosterMember> {
    return new Map(
      this.signers.map(({ index }) => {
        const identity = new Uint8Array(Buffer.from(identityKeyOf(index), "hex"));
        return [index, { id: `signer-${index}`, identity, encryption: new Uint8Array(32) }];
      }),
    );
  }

  /** indices of signers that are in a session now */
  busy(): readonly number[] {
    return this.signers.filter(({ isBusy }) => isBusy).map(({ index }) => index);
  }

  kill(...indices: readonly number[]): void {
    for (const signer of this.#named(indices)) signer.setServing(false);
  }

  revive(...indices: readonly number[]): void {
    for (const signer of this.#named(indices)) signer.setServing(true);
  }

  #named(indices: readonly number[]): readonly FakeSigner[] {
    return this.signers.filter(({ index }) => indices.includes(index));
  }
}

export class FakeSigner implements Signer {
  readonly index: PartyIndex;
  readonly store: Store = {
    keys: new Map(),
    exclusions: new Map(),
    signed: new Map(),
    auxiliaryEpoch: 1,
    quarantined: [],
    clockMs: undefined,
  };
  /** whether sessions begin and never end */
  hangs = false;
  /** whether it answers which keys it holds */
  listsKeys = true;
  /** its answer to a question for an attestation */
  attests: "yes" | "unreachable" | "holds none" = "yes";
  readonly #account: TestAccount;
  readonly #reader: SigningReader;
  readonly #counted: () => void;
  readonly #watchers = new Set<(isServing: boolean) => void>();
  readonly #open = new Set<SessionListener>();
  #isServing = true;

  readonly #members: () => ReadonlyMap<PartyIndex, RosterMember>;

  constructor(
    index: PartyIndex,
    account: TestAccount,
    network: EvmNetwork,
    counted: () => void,
    members: () => ReadonlyMap<PartyIndex, RosterMember>,
  ) {
    this.index = index;
    this.#members = members;
    this.#account = account;
    this.#reader = signingReader(FAMILIES, [network]);
    this.#counted = counted;
  }

  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  setServing(isServing: boolean): void {
    this.#isServing = isServing;
    if (!isServing) for (const listener of [...this.#open]) listener.lost("killed");
    this.#open.clear();
    for (const changed of this.#watchers) changed(isServing);
  }

  begin({ session }: NamedSession, request: Command, listener: SessionListener): SessionCall {
    this.#counted();
    this.#open.add(listener);
    queueMicrotask(() => this.#answer(session, request, listener));
    return { cancel: () => this.#open.delete(listener) };
  }

  async activateKey(keyId: string) {
    const key = this.store.keys.get(keyId);
    if (!this.#isServing) return fail("ServiceUnavailable");
    if (key !== undefined) key.state = "active";
    return ok<KeyAnswer>({ state: key?.state ?? "absent", epoch: key === undefined ? 0 : 1 });
  }

  async attestKey(keyId: string) {
    if (!this.#isServing || this.attests === "unreachable") return fail("ServiceUnavailable");
    const key = this.store.keys.get(keyId);
    if (key?.state !== "active" || this.attests === "holds none") return fail("KeyUnknown");
    const publicKey = Buffer.from(key.publicKey).toString("hex");
    const said = attestationBytes({ keyId, scheme: key.scheme ?? "ECDSA", publicKey });
    return ok({ signature: new Uint8Array(sign(null, said, identityOf(this.index).privateKey)) });
  }

  /** Its keys have no shares, so it has no info for a reshare. */
  async getKeyInfo(): Promise<Result<Uint8Array>> {
    return fail("KeyUnknown");
  }

  async discardKey(keyId: string) {
    if (!this.#isServing) return fail("ServiceUnavailable");
    if (this.store.keys.get(keyId)?.state === "active") return fail("KeyExists");
    this.store.keys.delete(keyId);
    return ok<KeyAnswer>({ state: "absent", epoch: 0 });
  }

  async switchEpoch(certificate: Uint8Array) {
    if (!this.#isServing) return fail("ServiceUnavailable");
    const read = readCertificate(this.#members(), certificate);
    if (read === undefined) return fail("EpochCertificateInvalid");
    this.store.auxiliaryEpoch = Math.max(this.store.auxiliaryEpoch, read.to);
    return ok({ epoch: this.store.auxiliaryEpoch });
  }

  async getCertificate() {
    return this.#isServing ? ok(undefined) : fail("ServiceUnavailable");
  }

  async discardPresignatures() {
    return ok(0);
  }

  async listPresignatures() {
    return ok([]);
  }

  async getSigned({ requestId }: AskedForRequest): Promise<Result<SignedForRequest>> {
    if (!this.#isServing) return fail("ServiceUnavailable");
    const transactions = this.store.signed.get(requestId) ?? [];
    return ok({ isBound: transactions.length > 0, isWhole: true, transactions });
  }

  async getStatus() {
    if (!this.#isServing) return fail("ServiceUnavailable");
    return ok<SignerStatus>({
      index: this.index,
      id: `signer-${this.index}`,
      ...IDLE_STATUS,
      auxiliaryEpoch: this.store.auxiliaryEpoch,
      auxiliaryDigest: auxiliaryDigestOf(this.store.auxiliaryEpoch),
      keyCount: this.store.keys.size,
      quarantined: this.store.quarantined,
      clockMs: this.store.clockMs,
      life: new Uint8Array(LIFE_BYTES).fill(this.index),
    });
  }

  async listKeys(asked: KeysAsked): Promise<Result<KeyPage>> {
    if (!this.#isServing || !this.listsKeys) return fail("ServiceUnavailable");
    const held = [...this.store.keys].map(
      ([keyId, key]): KeyHolding => ({
        keyId,
        epoch: 1,
        isImported: false,
        isExported: false,
        next: [],
        ...key,
      }),
    );
    return ok(pageOf(held, asked));
  }

  watchHealth(changed: (isServing: boolean) => void): { close(): void } {
    this.#watchers.add(changed);
    queueMicrotask(() => changed(this.#isServing));
    return { close: () => this.#watchers.delete(changed) };
  }

  /** Does nothing: several orchestrators of a test share this value, and each ends its own watch. */
  close(): void {}

  #answer(session: Uint8Array, request: Command, listener: SessionListener): void {
    if (!this.#isServing) {
      listener.lost("not serving");
      return;
    }
    if (this.hangs || !this.#open.has(listener)) return;
    this.#open.delete(listener);
    switch (request.kind) {
      case "auxiliary":
        this.#makeAuxiliary(session, request, listener);
        break;
      case "key-generation":
        this.#makeKey(request, listener);
        break;
      case "signing":
        this.#sign(request, listener);
        break;
      case "key-import":
        this.#importKey(request, listener);
        break;
      case "key-export":
        this.#exportKey(request, listener);
        break;
      case "key-refresh":
      case "key-reshare":
        listener.report({ kind: "failure", reason: "a fake signer has no shares", silent: [] });
        break;
      case "presigning":
        listener.report({ kind: "failure", reason: "a fake signer keeps no pool", silent: [] });
        break;
    }
  }

  #makeAuxiliary(session: Uint8Array, { epoch }: CommandOf<"auxiliary">, listener: SessionListener): void {
    const digest = auxiliaryDigestOf(epoch);
    const said = receiptBytes(this.#members(), this.index, {
      subject: AUXILIARY_SUBJECT,
      from: 0,
      to: epoch,
      digest,
      session,
    });
    const receipt = new Uint8Array(sign(null, said, identityOf(this.index).privateKey));
    listener.report({ kind: "auxiliary", from: 0, epoch, digest, receipt });
  }

  #makeKey(request: CommandOf<"key-generation">, listener: SessionListener): void {
    const { keyId, scheme } = authorisedKeySchema.parse(json(request.authorisation.payload));
    const { publicKey } = this.#account;
    this.store.keys.set(keyId, { state: "pending", publicKey, scheme });
    listener.report({ kind: "key", keyId, publicKey, chainCode: new Uint8Array(32) });
  }

  /** Every envelope stands for this cluster's one key; if it is empty, all signers refuse the first share. */
  #importKey(request: CommandOf<"key-import">, listener: SessionListener): void {
    const { keyId } = authorisedImportSchema.parse(json(request.authorisation.payload));
    if (request.envelope.length === 0) {
      const flaw = { code: "EnvelopeUnreadable", field: "encryptedKeyShare" } as const;
      const signer = partyIndex(1) ?? this.index;
      const refusals = [{ kind: "entry", signer, flaw }] as const;
      listener.report({ kind: "import-refused", refusals });
      return;
    }
    const { publicKey } = this.#account;
    this.store.keys.set(keyId, { state: "pending", publicKey, isImported: true });
    listener.report({ kind: "key", keyId, publicKey, chainCode: new Uint8Array(32) });
  }

  /** Its envelopes hold only its index. */
  #exportKey(request: CommandOf<"key-export">, listener: SessionListener): void {
    const { keyId } = authorisedExportSchema.parse(json(request.authorisation.payload));
    const key = this.store.keys.get(keyId);
    if (key?.state !== "active") {
      listener.report({ kind: "refusal", problem: problem("KeyUnknown") });
      return;
    }
    key.isExported = true;
    const { publicKey } = key;
    listener.report({ kind: "exported", keyId, epoch: 1, envelope: Uint8Array.of(this.index), publicKey });
  }

  #sign(command: CommandOf<"signing">, listener: SessionListener): void {
    const authorised = authorisedActSchema.parse(json(command.authorisation.payload));
    const { network, requestId } = authorised;
    const read = this.#reader.read(network, command.unsigned, authorised);
    if (!read.ok) {
      listener.report({ kind: "refusal", problem: read.problem });
      return;
    }
    const { exclusion, signables } = read.value;
    const first = this.store.exclusions.get(requestId) ?? exclusion;
    if (!this.#reader.excludes(network, first, exclusion)) {
      listener.report({ kind: "refusal", problem: problem("TransactionNotExcluding") });
      return;
    }
    this.store.exclusions.set(requestId, first);
    const before = this.store.signed.get(requestId) ?? [];
    const isKnown = before.some((each) => Buffer.compare(each, command.unsigned) === 0);
    if (!isKnown) this.store.signed.set(requestId, [...before, command.unsigned]);
    const signatures = signables.map(({ bytes }) => this.#account.sign(bytes));
    listener.report({ kind: "signed", signatures });
  }
}
