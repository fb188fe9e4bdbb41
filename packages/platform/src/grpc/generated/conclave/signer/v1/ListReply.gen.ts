// Original file: ../../proto/conclave/signer/v1/control.proto

import type { PresignatureEntry as _conclave_signer_v1_PresignatureEntry, PresignatureEntry__Output as _conclave_signer_v1_PresignatureEntry__Output } from './PresignatureEntry.gen.ts';

export interface ListReply {
  'presignatures'?: (_conclave_signer_v1_PresignatureEntry)[];
}

export interface ListReply__Output {
  'presignatures': (_conclave_signer_v1_PresignatureEntry__Output)[];
}
