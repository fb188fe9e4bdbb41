import { type Problem, problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import type {
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceDefinition,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { toStatus } from "./problem-status.ts";
import type { ServedService } from "./server.ts";

/** The version of the protocol between signers and their callers; it is part of the names of its services. */
const PROTOCOL_VERSION = 2;

interface OlderMethods {
  readonly service: string;
  /** answered by one message */
  readonly unary: readonly string[];
  /** answered by a stream of messages */
  readonly streams: readonly string[];
  /** streams both ways */
  readonly links: readonly string[];
}

/** The services of Conclave 0.1. Signers answer them with a refusal that says what is wrong. */
const OLDER_CONTROL: OlderMethods = {
  service: "conclave.signer.v1.Control",
  unary: [
    "DiscardPresignatures",
    "ListPresignatures",
    "GetKeyInfo",
    "AttestKey",
    "ActivateKey",
    "DiscardKey",
    "GetStatus",
  ],
  streams: [
    "GenerateAuxiliary",
    "GenerateKey",
    "ImportKey",
    "ExportKey",
    "Sign",
    "SignMessage",
    "Presign",
    "RefreshKey",
    "ReshareKey",
  ],
  links: [],
};
const OLDER_PEER: OlderMethods = {
  service: "conclave.signer.v1.Peer",
  unary: [],
  streams: [],
  links: ["Deliver"],
};

const whole = (bytes: Buffer): Buffer => bytes;

const definitionOf = ({ service, unary, streams, links }: OlderMethods): ServiceDefinition =>
  Object.fromEntries(
    [...unary, ...streams, ...links].map((name) => [
      name,
      {
        path: `/${service}/${name}`,
        requestStream: links.includes(name),
        responseStream: !unary.includes(name),
        requestSerialize: whole,
        requestDeserialize: whole,
        responseSerialize: whole,
        responseDeserialize: whole,
      },
    ]),
  );

type Stream = ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>;

const refusing = ({ unary, streams, links }: OlderMethods, why: Problem): UntypedServiceImplementation => ({
  ...Object.fromEntries(
    unary.map((name) => [
      name,
      (_: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => callback(toStatus(why)),
    ]),
  ),
  ...Object.fromEntries(
    [...streams, ...links].map((name) => [name, (call: Stream) => call.emit("error", toStatus(why))]),
  ),
});

/** A code that the older version knows, so that it shows the sentence. */
const refusal = (sentence: string): Problem => problem("CallerNotAllowed", {}, sentence);

/** A signer's answer to callers of an older version: a sentence that says which of the two is older. */
export const olderServices = (signerId: string): readonly ServedService[] => {
  const sentence = (caller: string): string =>
    `This ${caller} is older than ${signerId}: it speaks version 1 of the protocol, ${signerId} speaks version ${PROTOCOL_VERSION}. Upgrade the ${caller}.`;
  return [
    {
      definition: definitionOf(OLDER_CONTROL),
      implementation: refusing(OLDER_CONTROL, refusal(sentence("orchestrator"))),
    },
    {
      definition: definitionOf(OLDER_PEER),
      implementation: refusing(OLDER_PEER, refusal(sentence("signer"))),
    },
  ];
};

/** The problem of a signer that does not know this version's services. */
export const signerOlder = (signer: PartyIndex): Problem => {
  const id = `signer-${signer}`;
  const exact = `${id} is older than its caller: it does not speak version ${PROTOCOL_VERSION} of the protocol. Upgrade ${id}.`;
  return problem("SignerOlder", { signer: id }, exact);
};
