import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { DeliverReply as _conclave_signer_v1_DeliverReply, DeliverReply__Output as _conclave_signer_v1_DeliverReply__Output } from './conclave/signer/v1/DeliverReply.gen.ts';
import type { DeliverRequest as _conclave_signer_v1_DeliverRequest, DeliverRequest__Output as _conclave_signer_v1_DeliverRequest__Output } from './conclave/signer/v1/DeliverRequest.gen.ts';
import type { PeerClient as _conclave_signer_v1_PeerClient, PeerDefinition as _conclave_signer_v1_PeerDefinition } from './conclave/signer/v1/Peer.gen.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  conclave: {
    signer: {
      v1: {
        DeliverReply: MessageTypeDefinition<_conclave_signer_v1_DeliverReply, _conclave_signer_v1_DeliverReply__Output>
        DeliverRequest: MessageTypeDefinition<_conclave_signer_v1_DeliverRequest, _conclave_signer_v1_DeliverRequest__Output>
        Peer: SubtypeConstructor<typeof grpc.Client, _conclave_signer_v1_PeerClient> & { service: _conclave_signer_v1_PeerDefinition }
      }
    }
  }
}

