import { requiredValue } from './actionValue.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/** Opens a web address. @throws Failure VALIDATION_ERROR and those of goto */
export const goto: PerformSpecialAction = async context => context.goto(requiredValue(context, 'url'));
