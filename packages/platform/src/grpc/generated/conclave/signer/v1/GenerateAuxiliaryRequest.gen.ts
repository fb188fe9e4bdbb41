// Original file: ../../proto/conclave/signer/v1/control.proto

import type { Long } from '@grpc/proto-loader';

export interface GenerateAuxiliaryRequest {
  'sessionId'?: (Buffer | Uint8Array | string);
  'epoch'?: (number);
  'expiresAtMs'?: (number | string | Long);
}

export interface GenerateAuxiliaryRequest__Output {
  'sessionId': (Buffer);
  'epoch': (number);
  'expiresAtMs': (number);
}
