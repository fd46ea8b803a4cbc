/** The type Observation: the result of observe, step and scrape. */
import { observationShape } from '../../../operations/results/observation.ts';
import { resultType } from '../resultType.ts';
import { SpaceType } from './space.ts';

export const Observation = resultType(observationShape, t => ({
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: observationShape.fields.space.description,
    resolve: ({ space, session, observationId }) =>
      space === null ? null : { ...space, sessionId: session.id, observationId },
  }),
}));
