// Made by generate-descriptor.ts from the files in /proto.
import type { fromJSON } from "@grpc/proto-loader";

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
                    "encryptedShare": {
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
                    "publicInfo": {
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
                    "presignatureIds": {
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
