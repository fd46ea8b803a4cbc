/** A GraphQL fragment that selects every field of a type. */
import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';

/**
 * The fragment as text. Fields of object types are selected in turn, so the type must not contain itself.
 * @param name name of the fragment
 */
export function wholeFragment(name: string, type: GraphQLObjectType): string {
  return `fragment ${name} on ${type.name} ${selectionOf(type, '')}\n`;
}

function selectionOf(type: GraphQLObjectType, indent: string): string {
  const lines = Object.values(type.getFields()).map(field => {
    const fieldType = getNamedType(field.type);
    const inner = isObjectType(fieldType) ? ` ${selectionOf(fieldType, `${indent}  `)}` : '';
    return `${indent}  ${field.name}${inner}\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}
