// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Long } from '@grpc/proto-loader';

export interface Refusal {
  'code'?: (string);
  'message'?: (string);
  'culprit'?: (number);
  'clockMs'?: (number | string | Long);
}

export interface Refusal__Output {
  'code': (string);
  'message': (string);
  'culprit': (number);
  'clockMs': (number);
}
