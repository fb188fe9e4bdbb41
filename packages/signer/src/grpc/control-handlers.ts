import type { SessionReport } from "@conclave/cluster";
import { type KeyAttestation, problem, type Result } from "@conclave/custody";
import {
  type Command__Output,
  type ControlHandlers,
  fromCommand,
  fromKeysRequest,
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
import type { ServerWritableStream, sendUnaryData } from "@grpc/grpc-js";
import type { AnswerOf, Control } from "../control.ts";

type SessionStream = ServerWritableStream<unknown, ReturnType<typeof toReport>>;

const UNKNOWN_COMMAND = problem("InvalidBody", {}, "The command names nothing that this signer can do.");
const NOTHING = new Uint8Array(0);
const NOT_AUTHORISED = { payload: NOTHING, signature: NOTHING };

const keyStateOf = ({ keyId, state, epoch }: AnswerOf<"key-state">) => ({ keyId, state, epoch });

const switchedOf = ({ subject, epoch, handover, isWaiting }: AnswerOf<"switched">) => ({
  subject,
  epoch,
  handover: Buffer.from(handover ?? NOTHING),
  isWaiting: isWaiting ?? false,
});

const waiverOf = ({ waiver }: AnswerOf<"epoch-discarded">) => ({ waiver: Buffer.from(waiver ?? NOTHING) });

const discardedOf = ({ count }: AnswerOf<"presignatures-discarded">) => ({ count });

/** A signer that states nothing says so by empty fields, as an older one does. */
const attestationOf = ({ signature, stated }: KeyAttestation) => ({
  signature: Buffer.from(signature),
  statement: Buffer.from(stated?.statement ?? NOTHING),
  statementSignature: Buffer.from(stated?.signature ?? NOTHING),
});

/** The Control service over gRPC. @returns its methods, which call the signer's operations */
export const controlHandlers = (control: Control): ControlHandlers => ({
  Begin: (call) => begin(control, call, call.request),
  GetKeyInfo: (call, callback) => {
    const info = control.views.keyInfo(call.request.keyId);
    if (info === undefined) callback(toStatus(problem("KeyUnknown")));
    else callback(null, { publicInfo: Buffer.from(info) });
  },
  AttestKey: (call, callback) => {
    const said = control.views.attestation(call.request.keyId);
    if (said === undefined) callback(toStatus(problem("KeyUnknown")));
    else callback(null, attestationOf(said));
  },
  ActivateKey: (call, callback) => {
    const { keyId, epoch } = call.request;
    answer(callback, control.activateKey(epoch === 0 ? { keyId } : { keyId, epoch }), keyStateOf);
  },
  DiscardKey: (call, callback) => {
    const { keyId, authorisation } = call.request;
    const which = authorisation === null ? { keyId } : { keyId, authorisation };
    answer(callback, control.discardKey(which), keyStateOf);
  },
  SwitchEpoch: (call, callback) =>
    answer(callback, control.switchEpoch({ certificate: call.request.certificate }), switchedOf),
  DiscardEpoch: (call, callback) => {
    const { authorisation, waivers } = call.request;
    const which = { authorisation: authorisation ?? NOT_AUTHORISED, waivers };
    answer(callback, control.discardEpoch(which), waiverOf);
  },
  GetCertificate: (call, callback) =>
    callback(null, {
      certificate: Buffer.from(control.views.certificate(call.request.subject) ?? NOTHING),
    }),
  DiscardPresignatures: (call, callback) =>
    answer(callback, control.discardPresignatures({ ids: call.request.ids }), discardedOf),
  ListPresignatures: (call, callback) => {
    const { keyId } = call.request;
    callback(null, toListReply(control.views.presignatures(keyId === "" ? undefined : keyId)));
  },
  GetSigned: (call, callback) =>
    answer(callback, control.views.signed(call.request), ({ transactions, ...known }) => ({
      ...known,
      transactions: transactions.map((each) => Buffer.from(each)),
    })),
  GetStatus: (call, callback) => status(control, call.request, callback),
  ListKeys: (call, callback) => {
    const asked = fromKeysRequest(call.request);
    if (asked === undefined) callback(toStatus(UNKNOWN_COMMAND));
    else answer(callback, control.views.keys(asked), toKeysReply);
  },
});

const status = (
  { views }: Control,
  { countsOnly, allKeys }: StatusRequest__Output,
  callback: sendUnaryData<StatusReply>,
): void => {
  const reply = toStatusReply(views.status());
  if (countsOnly) callback(null, reply);
  else answer(callback, withKeyLists(reply, allKeys, views.keys), (listed) => listed);
};

/** A store that cannot be read is said to the caller, and stops nothing by itself. */
const answer = <Found, Reply>(
  callback: sendUnaryData<Reply>,
  finding: Promise<Result<Found>>,
  replyOf: (found: Found) => Reply,
): void => {
  finding.then(
    (found) => (found.ok ? callback(null, replyOf(found.value)) : callback(toStatus(found.problem))),
    () => callback(toStatus(problem("Internal"))),
  );
};

const isLast = ({ kind }: SessionReport): boolean => kind !== "progress";

const begin = (control: Control, stream: SessionStream, wire: Command__Output): void => {
  const hear = (report: StreamReport): void => {
    stream.write(toReport(report));
    if (isLast(report)) stream.end();
  };
  const asked = fromCommand(wire);
  if (asked === undefined) {
    hear({ kind: "refusal", problem: UNKNOWN_COMMAND });
    return;
  }
  const session = control.begin(asked, hear);
  stream.on("cancelled", () => session.cancel());
  stream.on("error", () => undefined); // "cancelled" follows
};
