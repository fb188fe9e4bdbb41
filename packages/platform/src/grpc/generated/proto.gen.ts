// Made by generate-grpc.ts from the files in /proto.
import type * as grpc from "@grpc/grpc-js";
import type { fromJSON, MethodDefinition } from "@grpc/proto-loader";

export interface Authorisation {
  readonly payload?: Uint8Array;
  readonly signature?: Uint8Array;
}
export type Authorisation__Output = {
  readonly payload: Buffer;
  readonly signature: Buffer;
};

export interface Auxiliary {
  readonly epoch?: number;
  readonly authorisation?: Authorisation | null;
}
export type Auxiliary__Output = {
  readonly epoch: number;
  readonly authorisation: Authorisation__Output | null;
};

export interface AuxiliaryDone {
  readonly epoch?: number;
  readonly digest?: Uint8Array;
  readonly fromEpoch?: number;
  readonly receipt?: Uint8Array;
}
export type AuxiliaryDone__Output = {
  readonly epoch: number;
  readonly digest: Buffer;
  readonly fromEpoch: number;
  readonly receipt: Buffer;
};

export interface Certificate {
  readonly certificate?: Uint8Array;
}
export type Certificate__Output = {
  readonly certificate: Buffer;
};

export interface CertificateRequest {
  readonly subject?: string;
}
export type CertificateRequest__Output = {
  readonly subject: string;
};

export interface Command {
  readonly sessionId?: Uint8Array;
  readonly expiresAtMs?: number;
  readonly auxiliary?: Auxiliary | null;
  readonly keyGeneration?: KeyGeneration | null;
  readonly keyImport?: KeyImport | null;
  readonly keyExport?: KeyExport | null;
  readonly keyRefresh?: KeyRefresh | null;
  readonly keyReshare?: KeyReshare | null;
  readonly presigning?: Presigning | null;
  readonly signing?: Signing | null;
  readonly lives?: readonly Life[];
}
export type Command__Output = {
  readonly sessionId: Buffer;
  readonly expiresAtMs: number;
  readonly lives: Life__Output[];
} & (
  | { readonly command?: undefined }
  | { readonly command: "auxiliary"; readonly auxiliary: Auxiliary__Output }
  | { readonly command: "keyGeneration"; readonly keyGeneration: KeyGeneration__Output }
  | { readonly command: "keyImport"; readonly keyImport: KeyImport__Output }
  | { readonly command: "keyExport"; readonly keyExport: KeyExport__Output }
  | { readonly command: "keyRefresh"; readonly keyRefresh: KeyRefresh__Output }
  | { readonly command: "keyReshare"; readonly keyReshare: KeyReshare__Output }
  | { readonly command: "presigning"; readonly presigning: Presigning__Output }
  | { readonly command: "signing"; readonly signing: Signing__Output }
);

export interface ControlHandlers extends grpc.UntypedServiceImplementation {
  Begin: grpc.handleServerStreamingCall<Command__Output, Report>;
  DiscardPresignatures: grpc.handleUnaryCall<PresignatureIds__Output, DiscardReply>;
  ListPresignatures: grpc.handleUnaryCall<ListRequest__Output, ListReply>;
  GetSigned: grpc.handleUnaryCall<SignedRequest__Output, SignedReply>;
  GetKeyInfo: grpc.handleUnaryCall<KeyRequest__Output, KeyInfo>;
  AttestKey: grpc.handleUnaryCall<KeyRequest__Output, KeyAttestation>;
  ActivateKey: grpc.handleUnaryCall<KeyRequest__Output, KeyReply>;
  DiscardKey: grpc.handleUnaryCall<KeyRequest__Output, KeyReply>;
  SwitchEpoch: grpc.handleUnaryCall<Certificate__Output, SwitchReply>;
  DiscardEpoch: grpc.handleUnaryCall<DiscardEpochRequest__Output, DiscardEpochReply>;
  GetCertificate: grpc.handleUnaryCall<CertificateRequest__Output, Certificate>;
  GetStatus: grpc.handleUnaryCall<StatusRequest__Output, StatusReply>;
  ListKeys: grpc.handleUnaryCall<KeysRequest__Output, KeysReply>;
}
export interface ControlDefinition extends grpc.ServiceDefinition {
  Begin: MethodDefinition<Command, Report, Command__Output, Report__Output>;
  DiscardPresignatures: MethodDefinition<PresignatureIds, DiscardReply, PresignatureIds__Output, DiscardReply__Output>;
  ListPresignatures: MethodDefinition<ListRequest, ListReply, ListRequest__Output, ListReply__Output>;
  GetSigned: MethodDefinition<SignedRequest, SignedReply, SignedRequest__Output, SignedReply__Output>;
  GetKeyInfo: MethodDefinition<KeyRequest, KeyInfo, KeyRequest__Output, KeyInfo__Output>;
  AttestKey: MethodDefinition<KeyRequest, KeyAttestation, KeyRequest__Output, KeyAttestation__Output>;
  ActivateKey: MethodDefinition<KeyRequest, KeyReply, KeyRequest__Output, KeyReply__Output>;
  DiscardKey: MethodDefinition<KeyRequest, KeyReply, KeyRequest__Output, KeyReply__Output>;
  SwitchEpoch: MethodDefinition<Certificate, SwitchReply, Certificate__Output, SwitchReply__Output>;
  DiscardEpoch: MethodDefinition<DiscardEpochRequest, DiscardEpochReply, DiscardEpochRequest__Output, DiscardEpochReply__Output>;
  GetCertificate: MethodDefinition<CertificateRequest, Certificate, CertificateRequest__Output, Certificate__Output>;
  GetStatus: MethodDefinition<StatusRequest, StatusReply, StatusRequest__Output, StatusReply__Output>;
  ListKeys: MethodDefinition<KeysRequest, KeysReply, KeysRequest__Output, KeysReply__Output>;
}

export interface DeliverReply {
  readonly taken?: number;
}
export type DeliverReply__Output = {
  readonly taken: number;
};

export interface DeliverRequest {
  readonly envelopes?: readonly Uint8Array[];
}
export type DeliverRequest__Output = {
  readonly envelopes: Buffer[];
};

export interface DiscardEpochReply {
  readonly waiver?: Uint8Array;
}
export type DiscardEpochReply__Output = {
  readonly waiver: Buffer;
};

export interface DiscardEpochRequest {
  readonly authorisation?: Authorisation | null;
  readonly waivers?: readonly Waiver[];
}
export type DiscardEpochRequest__Output = {
  readonly authorisation: Authorisation__Output | null;
  readonly waivers: Waiver__Output[];
};

export interface DiscardReply {
  readonly count?: number;
}
export type DiscardReply__Output = {
  readonly count: number;
};

export interface ExportDone {
  readonly keyId?: string;
  readonly epoch?: number;
  readonly encryptedShare?: Uint8Array;
  readonly publicKey?: Uint8Array;
}
export type ExportDone__Output = {
  readonly keyId: string;
  readonly epoch: number;
  readonly encryptedShare: Buffer;
  readonly publicKey: Buffer;
};

export interface Failure {
  readonly reason?: string;
  readonly silent?: readonly number[];
  readonly phase?: number;
}
export type Failure__Output = {
  readonly reason: string;
  readonly silent: number[];
  readonly phase: number;
};

export interface Fault {
  readonly culprit?: number;
  readonly check?: string;
  readonly evidence?: readonly Uint8Array[];
}
export type Fault__Output = {
  readonly culprit: number;
  readonly check: string;
  readonly evidence: Buffer[];
};

export interface HealthHandlers extends grpc.UntypedServiceImplementation {
  Check: grpc.handleUnaryCall<HealthCheckRequest__Output, HealthCheckResponse>;
  Watch: grpc.handleServerStreamingCall<HealthCheckRequest__Output, HealthCheckResponse>;
}
export interface HealthDefinition extends grpc.ServiceDefinition {
  Check: MethodDefinition<HealthCheckRequest, HealthCheckResponse, HealthCheckRequest__Output, HealthCheckResponse__Output>;
  Watch: MethodDefinition<HealthCheckRequest, HealthCheckResponse, HealthCheckRequest__Output, HealthCheckResponse__Output>;
}

export interface HealthCheckRequest {
  readonly service?: string;
}
export type HealthCheckRequest__Output = {
  readonly service: string;
};

export interface HealthCheckResponse {
  readonly status?: ServingStatus;
}
export type HealthCheckResponse__Output = {
  readonly status: ServingStatus;
};

export interface HeldKey {
  readonly key?: KeyState | null;
  readonly next?: readonly NextShare[];
}
export type HeldKey__Output = {
  readonly key: KeyState__Output | null;
  readonly next: NextShare__Output[];
};

export interface ImportRefused {
  readonly refusals?: readonly Uint8Array[];
}
export type ImportRefused__Output = {
  readonly refusals: Buffer[];
};

export interface KeyAttestation {
  readonly signature?: Uint8Array;
  readonly statement?: Uint8Array;
  readonly statementSignature?: Uint8Array;
}
export type KeyAttestation__Output = {
  readonly signature: Buffer;
  readonly statement: Buffer;
  readonly statementSignature: Buffer;
};

export interface KeyChangeDone {
  readonly keyId?: string;
  readonly epoch?: number;
  readonly digest?: Uint8Array;
  readonly fromEpoch?: number;
  readonly receipt?: Uint8Array;
}
export type KeyChangeDone__Output = {
  readonly keyId: string;
  readonly epoch: number;
  readonly digest: Buffer;
  readonly fromEpoch: number;
  readonly receipt: Buffer;
};

export interface KeyDone {
  readonly keyId?: string;
  readonly publicKey?: Uint8Array;
  readonly chainCode?: Uint8Array;
}
export type KeyDone__Output = {
  readonly keyId: string;
  readonly publicKey: Buffer;
  readonly chainCode: Buffer;
};

export interface KeyExport {
  readonly authorisation?: Authorisation | null;
}
export type KeyExport__Output = {
  readonly authorisation: Authorisation__Output | null;
};

export interface KeyGeneration {
  readonly authorisation?: Authorisation | null;
}
export type KeyGeneration__Output = {
  readonly authorisation: Authorisation__Output | null;
};

export interface KeyImport {
  readonly authorisation?: Authorisation | null;
  readonly envelope?: Uint8Array;
}
export type KeyImport__Output = {
  readonly authorisation: Authorisation__Output | null;
  readonly envelope: Buffer;
};

export interface KeyInfo {
  readonly publicInfo?: Uint8Array;
}
export type KeyInfo__Output = {
  readonly publicInfo: Buffer;
};

export interface KeyRefresh {
  readonly authorisation?: Authorisation | null;
}
export type KeyRefresh__Output = {
  readonly authorisation: Authorisation__Output | null;
};

export interface KeyReply {
  readonly keyId?: string;
  readonly state?: string;
  readonly epoch?: number;
}
export type KeyReply__Output = {
  readonly keyId: string;
  readonly state: string;
  readonly epoch: number;
};

export interface KeyRequest {
  readonly keyId?: string;
  readonly epoch?: number;
  readonly authorisation?: Authorisation | null;
}
export type KeyRequest__Output = {
  readonly keyId: string;
  readonly epoch: number;
  readonly authorisation: Authorisation__Output | null;
};

export interface KeyReshare {
  readonly authorisation?: Authorisation | null;
  readonly dealers?: readonly number[];
  readonly info?: Uint8Array;
}
export type KeyReshare__Output = {
  readonly authorisation: Authorisation__Output | null;
  readonly dealers: number[];
  readonly info: Buffer;
};

export interface KeyState {
  readonly keyId?: string;
  readonly state?: string;
  readonly publicKey?: Uint8Array;
  readonly epoch?: number;
  readonly imported?: boolean;
  readonly exported?: boolean;
}
export type KeyState__Output = {
  readonly keyId: string;
  readonly state: string;
  readonly publicKey: Buffer;
  readonly epoch: number;
  readonly imported: boolean;
  readonly exported: boolean;
};

export interface KeysReply {
  readonly keys?: readonly HeldKey[];
  readonly next?: string;
}
export type KeysReply__Output = {
  readonly keys: HeldKey__Output[];
  readonly next: string;
};

export interface KeysRequest {
  readonly keyIds?: readonly string[];
  readonly which?: string;
  readonly after?: string;
  readonly most?: number;
}
export type KeysRequest__Output = {
  readonly keyIds: string[];
  readonly which: string;
  readonly after: string;
  readonly most: number;
};

export interface Life {
  readonly signer?: number;
  readonly life?: Uint8Array;
}
export type Life__Output = {
  readonly signer: number;
  readonly life: Buffer;
};

export interface ListReply {
  readonly presignatures?: readonly PresignatureEntry[];
}
export type ListReply__Output = {
  readonly presignatures: PresignatureEntry__Output[];
};

export interface ListRequest {
  readonly keyId?: string;
}
export type ListRequest__Output = {
  readonly keyId: string;
};

export interface NextShare {
  readonly keyId?: string;
  readonly epoch?: number;
  readonly sessionId?: Uint8Array;
  readonly digest?: Uint8Array;
  readonly fromEpoch?: number;
  readonly receipt?: Uint8Array;
}
export type NextShare__Output = {
  readonly keyId: string;
  readonly epoch: number;
  readonly sessionId: Buffer;
  readonly digest: Buffer;
  readonly fromEpoch: number;
  readonly receipt: Buffer;
};

export interface PeerHandlers extends grpc.UntypedServiceImplementation {
  Deliver: grpc.handleBidiStreamingCall<DeliverRequest__Output, DeliverReply>;
}
export interface PeerDefinition extends grpc.ServiceDefinition {
  Deliver: MethodDefinition<DeliverRequest, DeliverReply, DeliverRequest__Output, DeliverReply__Output>;
}

export interface PoolState {
  readonly ready?: number;
  readonly reserved?: number;
  readonly stored?: number;
  readonly consumed?: number;
  readonly burnt?: number;
  readonly expired?: number;
  readonly refused?: number;
  readonly reused?: number;
  readonly rolledBack?: number;
}
export type PoolState__Output = {
  readonly ready: number;
  readonly reserved: number;
  readonly stored: number;
  readonly consumed: number;
  readonly burnt: number;
  readonly expired: number;
  readonly refused: number;
  readonly reused: number;
  readonly rolledBack: number;
};

export interface PresignDone {
  readonly id?: string;
  readonly expiresAtMs?: number;
}
export type PresignDone__Output = {
  readonly id: string;
  readonly expiresAtMs: number;
};

export interface PresignatureEntry {
  readonly id?: string;
  readonly keyId?: string;
  readonly signers?: readonly number[];
  readonly createdAtMs?: number;
  readonly expiresAtMs?: number;
  readonly usable?: boolean;
}
export type PresignatureEntry__Output = {
  readonly id: string;
  readonly keyId: string;
  readonly signers: number[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly usable: boolean;
};

export interface PresignatureIds {
  readonly ids?: readonly string[];
}
export type PresignatureIds__Output = {
  readonly ids: string[];
};

export interface Presigning {
  readonly quorum?: readonly number[];
  readonly keyId?: string;
}
export type Presigning__Output = {
  readonly quorum: number[];
  readonly keyId: string;
};

export interface Progress {
  readonly stage?: string;
  readonly keyId?: string;
  readonly epoch?: number;
}
export type Progress__Output = {
  readonly stage: string;
  readonly keyId: string;
  readonly epoch: number;
};

export interface Quarantine {
  readonly signer?: number;
  readonly check?: string;
  readonly evidence?: Uint8Array;
  readonly auxiliaryEpoch?: number;
  readonly provenAtMs?: number;
}
export type Quarantine__Output = {
  readonly signer: number;
  readonly check: string;
  readonly evidence: Buffer;
  readonly auxiliaryEpoch: number;
  readonly provenAtMs: number;
};

export interface Refusal {
  readonly code?: string;
  readonly message?: string;
  readonly culprit?: number;
  readonly clockMs?: number;
  readonly life?: Uint8Array;
}
export type Refusal__Output = {
  readonly code: string;
  readonly message: string;
  readonly culprit: number;
  readonly clockMs: number;
  readonly life: Buffer;
};

export interface Report {
  readonly progress?: Progress | null;
  readonly auxiliaryDone?: AuxiliaryDone | null;
  readonly keyDone?: KeyDone | null;
  readonly signed?: Signed | null;
  readonly refusal?: Refusal | null;
  readonly fault?: Fault | null;
  readonly failure?: Failure | null;
  readonly presignDone?: PresignDone | null;
  readonly keyChangeDone?: KeyChangeDone | null;
  readonly importRefused?: ImportRefused | null;
  readonly exportDone?: ExportDone | null;
}
export type Report__Output = {
} & (
  | { readonly report?: undefined }
  | { readonly report: "progress"; readonly progress: Progress__Output }
  | { readonly report: "auxiliaryDone"; readonly auxiliaryDone: AuxiliaryDone__Output }
  | { readonly report: "keyDone"; readonly keyDone: KeyDone__Output }
  | { readonly report: "signed"; readonly signed: Signed__Output }
  | { readonly report: "refusal"; readonly refusal: Refusal__Output }
  | { readonly report: "fault"; readonly fault: Fault__Output }
  | { readonly report: "failure"; readonly failure: Failure__Output }
  | { readonly report: "presignDone"; readonly presignDone: PresignDone__Output }
  | { readonly report: "keyChangeDone"; readonly keyChangeDone: KeyChangeDone__Output }
  | { readonly report: "importRefused"; readonly importRefused: ImportRefused__Output }
  | { readonly report: "exportDone"; readonly exportDone: ExportDone__Output }
);

type ServingStatus = "UNKNOWN" | "SERVING" | "NOT_SERVING" | "SERVICE_UNKNOWN";

export interface SessionState {
  readonly sessionId?: Uint8Array;
  readonly protocol?: string;
  readonly stage?: string;
}
export type SessionState__Output = {
  readonly sessionId: Buffer;
  readonly protocol: string;
  readonly stage: string;
};

export interface Signature {
  readonly scheme?: string;
  readonly bytes?: Uint8Array;
}
export type Signature__Output = {
  readonly scheme: string;
  readonly bytes: Buffer;
};

export interface Signed {
  readonly signatures?: readonly Signature[];
}
export type Signed__Output = {
  readonly signatures: Signature__Output[];
};

export interface SignedReply {
  readonly isBound?: boolean;
  readonly isWhole?: boolean;
  readonly transactions?: readonly Uint8Array[];
}
export type SignedReply__Output = {
  readonly isBound: boolean;
  readonly isWhole: boolean;
  readonly transactions: Buffer[];
};

export interface SignedRequest {
  readonly requestId?: string;
  readonly requestedAtMs?: number;
}
export type SignedRequest__Output = {
  readonly requestId: string;
  readonly requestedAtMs: number;
};

export interface Signing {
  readonly quorum?: readonly number[];
  readonly keyId?: string;
  readonly authorisation?: Authorisation | null;
  readonly unsigned?: Uint8Array;
  readonly presignatures?: readonly string[];
  readonly dead?: Authorisation | null;
  readonly partFrom?: number;
  readonly partCount?: number;
}
export type Signing__Output = {
  readonly quorum: number[];
  readonly keyId: string;
  readonly authorisation: Authorisation__Output | null;
  readonly unsigned: Buffer;
  readonly presignatures: string[];
  readonly dead: Authorisation__Output | null;
  readonly partFrom: number;
  readonly partCount: number;
};

export interface StatusReply {
  readonly index?: number;
  readonly id?: string;
  readonly state?: string;
  readonly parameters?: string;
  readonly auxiliaryEpoch?: number;
  readonly auxiliaryDigest?: Uint8Array;
  readonly keys?: readonly KeyState[];
  readonly sessions?: readonly SessionState[];
  readonly cpuMicroseconds?: number;
  readonly residentBytes?: number;
  readonly connectedPeers?: readonly number[];
  readonly keyCount?: number;
  readonly pool?: PoolState | null;
  readonly nextShares?: readonly NextShare[];
  readonly pendingAuxiliary?: readonly NextShare[];
  readonly quarantined?: readonly Quarantine[];
  readonly clockMs?: number;
  readonly keysToRefresh?: number;
  readonly life?: Uint8Array;
}
export type StatusReply__Output = {
  readonly index: number;
  readonly id: string;
  readonly state: string;
  readonly parameters: string;
  readonly auxiliaryEpoch: number;
  readonly auxiliaryDigest: Buffer;
  readonly keys: KeyState__Output[];
  readonly sessions: SessionState__Output[];
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
  readonly connectedPeers: number[];
  readonly keyCount: number;
  readonly pool: PoolState__Output | null;
  readonly nextShares: NextShare__Output[];
  readonly pendingAuxiliary: NextShare__Output[];
  readonly quarantined: Quarantine__Output[];
  readonly clockMs: number;
  readonly keysToRefresh: number;
  readonly life: Buffer;
};

export interface StatusRequest {
  readonly allKeys?: boolean;
  readonly countsOnly?: boolean;
}
export type StatusRequest__Output = {
  readonly allKeys: boolean;
  readonly countsOnly: boolean;
};

export interface SwitchReply {
  readonly subject?: string;
  readonly epoch?: number;
  readonly handover?: Uint8Array;
  readonly isWaiting?: boolean;
}
export type SwitchReply__Output = {
  readonly subject: string;
  readonly epoch: number;
  readonly handover: Buffer;
  readonly isWaiting: boolean;
};

export interface Waiver {
  readonly signer?: number;
  readonly signature?: Uint8Array;
}
export type Waiver__Output = {
  readonly signer: number;
  readonly signature: Buffer;
};

export const DESCRIPTOR: Parameters<typeof fromJSON>[0] = {
  "nested": {
    "conclave": {
      "nested": {
        "signer": {
          "nested": {
            "v2": {
              "nested": {
                "Control": {
                  "methods": {
                    "Begin": {
                      "requestType": "Command",
                      "responseType": "Report",
                      "responseStream": true,
                      "comment": ""
                    },
                    "DiscardPresignatures": {
                      "requestType": "PresignatureIds",
                      "responseType": "DiscardReply",
                      "comment": ""
                    },
                    "ListPresignatures": {
                      "requestType": "ListRequest",
                      "responseType": "ListReply",
                      "comment": ""
                    },
                    "GetSigned": {
                      "requestType": "SignedRequest",
                      "responseType": "SignedReply",
                      "comment": ""
                    },
                    "GetKeyInfo": {
                      "requestType": "KeyRequest",
                      "responseType": "KeyInfo",
                      "comment": ""
                    },
                    "AttestKey": {
                      "requestType": "KeyRequest",
                      "responseType": "KeyAttestation",
                      "comment": ""
                    },
                    "ActivateKey": {
                      "requestType": "KeyRequest",
                      "responseType": "KeyReply",
                      "comment": ""
                    },
                    "DiscardKey": {
                      "requestType": "KeyRequest",
                      "responseType": "KeyReply",
                      "comment": ""
                    },
                    "SwitchEpoch": {
                      "requestType": "Certificate",
                      "responseType": "SwitchReply",
                      "comment": ""
                    },
                    "DiscardEpoch": {
                      "requestType": "DiscardEpochRequest",
                      "responseType": "DiscardEpochReply",
                      "comment": ""
                    },
                    "GetCertificate": {
                      "requestType": "CertificateRequest",
                      "responseType": "Certificate",
                      "comment": ""
                    },
                    "GetStatus": {
                      "requestType": "StatusRequest",
                      "responseType": "StatusReply",
                      "comment": ""
                    },
                    "ListKeys": {
                      "requestType": "KeysRequest",
                      "responseType": "KeysReply",
                      "comment": ""
                    }
                  }
                },
                "Authorisation": {
                  "fields": {
                    "payload": {
                      "type": "bytes",
                      "id": 1
                    },
                    "signature": {
                      "type": "bytes",
                      "id": 2
                    }
                  }
                },
                "Command": {
                  "oneofs": {
                    "command": {
                      "oneof": [
                        "auxiliary",
                        "keyGeneration",
                        "keyImport",
                        "keyExport",
                        "keyRefresh",
                        "keyReshare",
                        "presigning",
                        "signing"
                      ]
                    }
                  },
                  "fields": {
                    "sessionId": {
                      "type": "bytes",
                      "id": 1
                    },
                    "expiresAtMs": {
                      "type": "uint64",
                      "id": 2
                    },
                    "auxiliary": {
                      "type": "Auxiliary",
                      "id": 3
                    },
                    "keyGeneration": {
                      "type": "KeyGeneration",
                      "id": 4
                    },
                    "keyImport": {
                      "type": "KeyImport",
                      "id": 5
                    },
                    "keyExport": {
                      "type": "KeyExport",
                      "id": 6
                    },
                    "keyRefresh": {
                      "type": "KeyRefresh",
                      "id": 7
                    },
                    "keyReshare": {
                      "type": "KeyReshare",
                      "id": 8
                    },
                    "presigning": {
                      "type": "Presigning",
                      "id": 9
                    },
                    "signing": {
                      "type": "Signing",
                      "id": 10
                    },
                    "lives": {
                      "rule": "repeated",
                      "type": "Life",
                      "id": 11
                    }
                  }
                },
                "Life": {
                  "fields": {
                    "signer": {
                      "type": "uint32",
                      "id": 1
                    },
                    "life": {
                      "type": "bytes",
                      "id": 2
                    }
                  }
                },
                "Auxiliary": {
                  "fields": {
                    "epoch": {
                      "type": "uint32",
                      "id": 1
                    },
                    "authorisation": {
                      "type": "Authorisation",
                      "id": 2
                    }
                  }
                },
                "KeyGeneration": {
                  "fields": {
                    "authorisation": {
                      "type": "Authorisation",
                      "id": 1
                    }
                  }
                },
                "KeyImport": {
                  "fields": {
                    "authorisation": {
                      "type": "Authorisation",
                      "id": 1
                    },
                    "envelope": {
                      "type": "bytes",
                      "id": 2
                    }
                  }
                },
                "KeyExport": {
                  "fields": {
                    "authorisation": {
                      "type": "Authorisation",
                      "id": 1
                    }
                  }
                },
                "KeyRefresh": {
                  "fields": {
                    "authorisation": {
                      "type": "Authorisation",
                      "id": 1
                    }
                  }
                },
                "KeyReshare": {
                  "fields": {
                    "authorisation": {
                      "type": "Authorisation",
                      "id": 1
                    },
                    "dealers": {
                      "rule": "repeated",
                      "type": "uint32",
                      "id": 2
                    },
                    "info": {
                      "type": "bytes",
                      "id": 3
                    }
                  }
                },
                "Presigning": {
                  "fields": {
                    "quorum": {
                      "rule": "repeated",
                      "type": "uint32",
                      "id": 1
                    },
                    "keyId": {
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "Signing": {
                  "fields": {
                    "quorum": {
                      "rule": "repeated",
                      "type": "uint32",
                      "id": 1
                    },
                    "keyId": {
                      "type": "string",
                      "id": 2
                    },
                    "authorisation": {
                      "type": "Authorisation",
                      "id": 3
                    },
                    "unsigned": {
                      "type": "bytes",
                      "id": 4
                    },
                    "presignatures": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 5
                    },
                    "dead": {
                      "type": "Authorisation",
                      "id": 6
                    },
                    "partFrom": {
                      "type": "uint32",
                      "id": 7
                    },
                    "partCount": {
                      "type": "uint32",
                      "id": 8
                    }
                  }
                },
                "PresignatureIds": {
                  "fields": {
                    "ids": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "DiscardReply": {
                  "fields": {
                    "count": {
                      "type": "uint32",
                      "id": 1
                    }
                  }
                },
                "SignedRequest": {
                  "fields": {
                    "requestId": {
                      "type": "string",
                      "id": 1
                    },
                    "requestedAtMs": {
                      "type": "uint64",
                      "id": 2
                    }
                  }
                },
                "SignedReply": {
                  "fields": {
                    "isBound": {
                      "type": "bool",
                      "id": 1
                    },
                    "isWhole": {
                      "type": "bool",
                      "id": 2
                    },
                    "transactions": {
                      "rule": "repeated",
                      "type": "bytes",
                      "id": 3
                    }
                  }
                },
                "ListRequest": {
                  "fields": {
                    "keyId": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "ListReply": {
                  "fields": {
                    "presignatures": {
                      "rule": "repeated",
                      "type": "PresignatureEntry",
                      "id": 1
                    }
                  }
                },
                "PresignatureEntry": {
                  "fields": {
                    "id": {
                      "type": "string",
                      "id": 1
                    },
                    "keyId": {
                      "type": "string",
                      "id": 2
                    },
                    "signers": {
                      "rule": "repeated",
                      "type": "uint32",
                      "id": 3
                    },
                    "createdAtMs": {
                      "type": "uint64",
                      "id": 4
                    },
                    "expiresAtMs": {
                      "type": "uint64",
                      "id": 5
                    },
                    "usable": {
                      "type": "bool",
                      "id": 6
                    }
                  }
                },
                "Report": {
                  "oneofs": {
                    "report": {
                      "oneof": [
                        "progress",
                        "auxiliaryDone",
                        "keyDone",
                        "signed",
                        "refusal",
                        "fault",
                        "failure",
                        "presignDone",
                        "keyChangeDone",
                        "importRefused",
                        "exportDone"
                      ]
                    }
                  },
                  "fields": {
                    "progress": {
                      "type": "Progress",
                      "id": 1
                    },
                    "auxiliaryDone": {
                      "type": "AuxiliaryDone",
                      "id": 2
                    },
                    "keyDone": {
                      "type": "KeyDone",
                      "id": 3
                    },
                    "signed": {
                      "type": "Signed",
                      "id": 4
                    },
                    "refusal": {
                      "type": "Refusal",
                      "id": 5
                    },
                    "fault": {
                      "type": "Fault",
                      "id": 6
                    },
                    "failure": {
                      "type": "Failure",
                      "id": 7
                    },
                    "presignDone": {
                      "type": "PresignDone",
                      "id": 8
                    },
                    "keyChangeDone": {
                      "type": "KeyChangeDone",
                      "id": 9
                    },
                    "importRefused": {
                      "type": "ImportRefused",
                      "id": 10
                    },
                    "exportDone": {
                      "type": "ExportDone",
                      "id": 11
                    }
                  }
                },
                "PresignDone": {
                  "fields": {
                    "id": {
                      "type": "string",
                      "id": 1
                    },
                    "expiresAtMs": {
                      "type": "uint64",
                      "id": 2
                    }
                  }
                },
                "Progress": {
                  "fields": {
                    "stage": {
                      "type": "string",
                      "id": 1
                    },
                    "keyId": {
                      "type": "string",
                      "id": 2
                    },
                    "epoch": {
                      "type": "uint32",
                      "id": 3
                    }
                  }
                },
                "AuxiliaryDone": {
                  "fields": {
                    "epoch": {
                      "type": "uint32",
                      "id": 1
                    },
                    "digest": {
                      "type": "bytes",
                      "id": 2
                    },
                    "fromEpoch": {
                      "type": "uint32",
                      "id": 3
                    },
                    "receipt": {
                      "type": "bytes",
                      "id": 4
                    }
                  }
                },
                "KeyDone": {
                  "fields": {
                    "keyId": {
                      "type": "string",
                      "id": 1
                    },
                    "publicKey": {
                      "type": "bytes",
                      "id": 2
                    },
                    "chainCode": {
                      "type": "bytes",
                      "id": 3
                    }
                  }
                },
                "KeyChangeDone": {
                  "fields": {
                    "keyId": {
                      "type": "string",
                      "id": 1
                    },
                    "epoch": {
                      "type": "uint32",
                      "id": 2
                    },
                    "digest": {
                      "type": "bytes",
                      "id": 3
                    },
                    "fromEpoch": {
                      "type": "uint32",
                      "id": 4
                    },
                    "receipt": {
                      "type": "bytes",
                      "id": 5
                    }
                  }
                },
                "ImportRefused": {
                  "fields": {
                    "refusals": {
                      "rule": "repeated",
                      "type": "bytes",
                      "id": 1
                    }
                  }
                },
                "ExportDone": {
                  "fields": {
                    "keyId": {
                      "type": "string",
                      "id": 1
                    },
                    "epoch": {
                      "type": "uint32",
                      "id": 2
                    },
                    "encryptedShare": {
                      "type": "bytes",
                      "id": 3
                    },
                    "publicKey": {
                      "type": "bytes",
                      "id": 4
                    }
                  }
                },
                "Signed": {
                  "fields": {
                    "signatures": {
                      "rule": "repeated",
                      "type": "Signature",
                      "id": 1
                    }
                  }
                },
                "Signature": {
                  "fields": {
                    "scheme": {
                      "type": "string",
                      "id": 1
                    },
                    "bytes": {
                      "type": "bytes",
                      "id": 2
                    }
                  }
                },
                "Refusal": {
                  "fields": {
                    "code": {
                      "type": "string",
                      "id": 1
                    },
                    "message": {
                      "type": "string",
                      "id": 2
                    },
                    "culprit": {
                      "type": "uint32",
                      "id": 3
                    },
                    "clockMs": {
                      "type": "uint64",
                      "id": 4
                    },
                    "life": {
                      "type": "bytes",
                      "id": 5
                    }
                  }
                },
                "Fault": {
                  "fields": {
                    "culprit": {
                      "type": "uint32",
                      "id": 1
                    },
                    "check": {
                      "type": "string",
                      "id": 2
                    },
                    "evidence": {
                      "rule": "repeated",
                      "type": "bytes",
                      "id": 3
                    }
                  }
                },
                "Failure": {
                  "fields": {
                    "reason": {
                      "type": "string",
                      "id": 1
                    },
                    "silent": {
                      "rule": "repeated",
                      "type": "uint32",
                      "id": 2
                    },
                    "phase": {
                      "type": "uint32",
                      "id": 3
                    }
                  }
                },
                "KeyRequest": {
                  "fields": {
                    "keyId": {
                      "type": "string",
                      "id": 1
                    },
                    "epoch": {
                      "type": "uint32",
                      "id": 2
                    },
                    "authorisation": {
                      "type": "Authorisation",
                      "id": 3
                    }
                  }
                },
                "Certificate": {
                  "fields": {
                    "certificate": {
                      "type": "bytes",
                      "id": 1
                    }
                  }
                },
                "CertificateRequest": {
                  "fields": {
                    "subject": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "DiscardEpochRequest": {
                  "fields": {
                    "authorisation": {
                      "type": "Authorisation",
                      "id": 1
                    },
                    "waivers": {
                      "rule": "repeated",
                      "type": "Waiver",
                      "id": 2
                    }
                  }
                },
                "Waiver": {
                  "fields": {
                    "signer": {
                      "type": "uint32",
                      "id": 1
                    },
                    "signature": {
                      "type": "bytes",
                      "id": 2
                    }
                  }
                },
                "DiscardEpochReply": {
                  "fields": {
                    "waiver": {
                      "type": "bytes",
                      "id": 1
                    }
                  }
                },
                "SwitchReply": {
                  "fields": {
                    "subject": {
                      "type": "string",
                      "id": 1
                    },
                    "epoch": {
                      "type": "uint32",
                      "id": 2
                    },
                    "handover": {
                      "type": "bytes",
                      "id": 3
                    },
                    "isWaiting": {
                      "type": "bool",
                      "id": 4
                    }
                  }
                },
                "KeyInfo": {
                  "fields": {
                    "publicInfo": {
                      "type": "bytes",
                      "id": 1
                    }
                  }
                },
                "KeyAttestation": {
                  "fields": {
                    "signature": {
                      "type": "bytes",
                      "id": 1
                    },
                    "statement": {
                      "type": "bytes",
                      "id": 2
                    },
                    "statementSignature": {
                      "type": "bytes",
                      "id": 3
                    }
                  }
                },
                "KeyReply": {
                  "fields": {
                    "keyId": {
                      "type": "string",
                      "id": 1
                    },
                    "state": {
                      "type": "string",
                      "id": 2
                    },
                    "epoch": {
                      "type": "uint32",
                      "id": 3
                    }
                  }
                },
                "StatusRequest": {
                  "fields": {
                    "allKeys": {
                      "type": "bool",
                      "id": 1
                    },
                    "countsOnly": {
                      "type": "bool",
                      "id": 2
                    }
                  }
                },
                "KeysRequest": {
                  "fields": {
                    "keyIds": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    },
                    "which": {
                      "type": "string",
                      "id": 2
                    },
                    "after": {
                      "type": "string",
                      "id": 3
                    },
                    "most": {
                      "type": "uint32",
                      "id": 4
                    }
                  }
                },
                "KeysReply": {
                  "fields": {
                    "keys": {
                      "rule": "repeated",
                      "type": "HeldKey",
                      "id": 1
                    },
                    "next": {
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "HeldKey": {
                  "fields": {
                    "key": {
                      "type": "KeyState",
                      "id": 1
                    },
                    "next": {
                      "rule": "repeated",
                      "type": "NextShare",
                      "id": 2
                    }
                  }
                },
                "StatusReply": {
                  "fields": {
                    "index": {
                      "type": "uint32",
                      "id": 1
                    },
                    "id": {
                      "type": "string",
                      "id": 2
                    },
                    "state": {
                      "type": "string",
                      "id": 3
                    },
                    "parameters": {
                      "type": "string",
                      "id": 4
                    },
                    "auxiliaryEpoch": {
                      "type": "uint32",
                      "id": 5
                    },
                    "auxiliaryDigest": {
                      "type": "bytes",
                      "id": 6
                    },
                    "keys": {
                      "rule": "repeated",
                      "type": "KeyState",
                      "id": 7
                    },
                    "sessions": {
                      "rule": "repeated",
                      "type": "SessionState",
                      "id": 8
                    },
                    "cpuMicroseconds": {
                      "type": "uint64",
                      "id": 9
                    },
                    "residentBytes": {
                      "type": "uint64",
                      "id": 10
                    },
                    "connectedPeers": {
                      "rule": "repeated",
                      "type": "uint32",
                      "id": 11
                    },
                    "keyCount": {
                      "type": "uint32",
                      "id": 12
                    },
                    "pool": {
                      "type": "PoolState",
                      "id": 13
                    },
                    "nextShares": {
                      "rule": "repeated",
                      "type": "NextShare",
                      "id": 14
                    },
                    "pendingAuxiliary": {
                      "rule": "repeated",
                      "type": "NextShare",
                      "id": 15
                    },
                    "quarantined": {
                      "rule": "repeated",
                      "type": "Quarantine",
                      "id": 16
                    },
                    "clockMs": {
                      "type": "uint64",
                      "id": 17
                    },
                    "keysToRefresh": {
                      "type": "uint32",
                      "id": 18
                    },
                    "life": {
                      "type": "bytes",
                      "id": 19
                    }
                  }
                },
                "Quarantine": {
                  "fields": {
                    "signer": {
                      "type": "uint32",
                      "id": 1
                    },
                    "check": {
                      "type": "string",
                      "id": 2
                    },
                    "evidence": {
                      "type": "bytes",
                      "id": 3
                    },
                    "auxiliaryEpoch": {
                      "type": "uint32",
                      "id": 4
                    },
                    "provenAtMs": {
                      "type": "uint64",
                      "id": 5
                    }
                  }
                },
                "PoolState": {
                  "fields": {
                    "ready": {
                      "type": "uint32",
                      "id": 1
                    },
                    "reserved": {
                      "type": "uint32",
                      "id": 2
                    },
                    "stored": {
                      "type": "uint64",
                      "id": 3
                    },
                    "consumed": {
                      "type": "uint64",
                      "id": 4
                    },
                    "burnt": {
                      "type": "uint64",
                      "id": 5
                    },
                    "expired": {
                      "type": "uint64",
                      "id": 6
                    },
                    "refused": {
                      "type": "uint64",
                      "id": 7
                    },
                    "reused": {
                      "type": "uint64",
                      "id": 8
                    },
                    "rolledBack": {
                      "type": "uint64",
                      "id": 9
                    }
                  }
                },
                "NextShare": {
                  "fields": {
                    "keyId": {
                      "type": "string",
                      "id": 1
                    },
                    "epoch": {
                      "type": "uint32",
                      "id": 2
                    },
                    "sessionId": {
                      "type": "bytes",
                      "id": 3
                    },
                    "digest": {
                      "type": "bytes",
                      "id": 4
                    },
                    "fromEpoch": {
                      "type": "uint32",
                      "id": 5
                    },
                    "receipt": {
                      "type": "bytes",
                      "id": 6
                    }
                  }
                },
                "KeyState": {
                  "fields": {
                    "keyId": {
                      "type": "string",
                      "id": 1
                    },
                    "state": {
                      "type": "string",
                      "id": 2
                    },
                    "publicKey": {
                      "type": "bytes",
                      "id": 3
                    },
                    "epoch": {
                      "type": "uint32",
                      "id": 4
                    },
                    "imported": {
                      "type": "bool",
                      "id": 5
                    },
                    "exported": {
                      "type": "bool",
                      "id": 6
                    }
                  }
                },
                "SessionState": {
                  "fields": {
                    "sessionId": {
                      "type": "bytes",
                      "id": 1
                    },
                    "protocol": {
                      "type": "string",
                      "id": 2
                    },
                    "stage": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "Peer": {
                  "methods": {
                    "Deliver": {
                      "requestType": "DeliverRequest",
                      "requestStream": true,
                      "responseType": "DeliverReply",
                      "responseStream": true,
                      "comment": ""
                    }
                  }
                },
                "DeliverRequest": {
                  "fields": {
                    "envelopes": {
                      "rule": "repeated",
                      "type": "bytes",
                      "id": 1
                    }
                  }
                },
                "DeliverReply": {
                  "fields": {
                    "taken": {
                      "type": "uint32",
                      "id": 1
                    }
                  }
                }
              }
            }
          }
        }
      }
    },
    "grpc": {
      "nested": {
        "health": {
          "nested": {
            "v1": {
              "nested": {
                "Health": {
                  "methods": {
                    "Check": {
                      "requestType": "HealthCheckRequest",
                      "responseType": "HealthCheckResponse",
                      "comment": ""
                    },
                    "Watch": {
                      "requestType": "HealthCheckRequest",
                      "responseType": "HealthCheckResponse",
                      "responseStream": true,
                      "comment": ""
                    }
                  }
                },
                "HealthCheckRequest": {
                  "fields": {
                    "service": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "HealthCheckResponse": {
                  "fields": {
                    "status": {
                      "type": "ServingStatus",
                      "id": 1
                    }
                  },
                  "nested": {
                    "ServingStatus": {
                      "values": {
                        "UNKNOWN": 0,
                        "SERVING": 1,
                        "NOT_SERVING": 2,
                        "SERVICE_UNKNOWN": 3
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
};
