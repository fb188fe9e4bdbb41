// Original file: ../../proto/conclave/signer/v2/control.proto

import type { PresignatureEntry as _conclave_signer_v2_PresignatureEntry, PresignatureEntry__Output as _conclave_signer_v2_PresignatureEntry__Output } from '../../../conclave/signer/v2/PresignatureEntry.gen.ts';

export interface ListReply {
  'presignatures'?: (_conclave_signer_v2_PresignatureEntry)[];
}

export interface ListReply__Output {
  'presignatures': (_conclave_signer_v2_PresignatureEntry__Output)[];
}
