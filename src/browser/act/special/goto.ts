import { requiredValue } from './actionValue.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/** Opens the URL in the value. @throws Failure VALIDATION_ERROR when there is no value; the failures of `BrowserLease.goto` */
export const goto: PerformSpecialAction = async context => context.goto(requiredValue(context, 'url'));
