DROP TABLE joined;
