/** A GraphQL fragment that selects every field of a type. */
import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';

/**
 * Returns the text of a fragment that selects every field of the type, and every field of the object types in it. The type must
 * not contain itself.
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
